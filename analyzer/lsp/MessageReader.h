//===- MessageReader.h - From bytes to messages -----------------*- C++ -*-===//
//
// Takes the stream of an editor apart: headers, lengths, JSON. MLIR's transport
// ends the server at a message that is no JSON-RPC, swallows all that follows a
// wrong length, says nothing of either to the client, and blocks while it
// waits. This one goes on with the next header that it finds, whatever was
// before it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_MESSAGEREADER_H
#define WARPWISE_ANALYZER_LSP_MESSAGEREADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace warpwise::lsp {

/// A message, or what is wrong with what came instead of one.
struct Received {
  llvm::json::Value Message = nullptr;
  /// One sentence; empty for a message.
  std::string Fault;
};

class MessageReader {
public:
  /// The largest message; an editor sends whole files.
  static constexpr size_t MostBytes = size_t(64) << 20;
  /// Of arrays and objects in each other: the parser of JSON is recursive.
  static constexpr unsigned MostDepth = 256;

  void append(llvm::StringRef Bytes) { Pending += Bytes; }
  /// The next message or fault; nothing when more bytes are needed.
  std::optional<Received> next();

private:
  std::optional<Received> readHeader();
  std::optional<Received> readBody();

  std::string Pending;
  std::optional<size_t> Length; ///< of the body, once the header is read
};

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_MESSAGEREADER_H
