//===- Channel.h - Talking to a document's process --------------*- C++ -*-===//
//
// JSON values over the socket of a process, each behind its length. Nothing
// here waits: what a process does not take yet is kept.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_CHANNEL_H
#define WARPWISE_ANALYZER_LSP_CHANNEL_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace warpwise::lsp {

class Channel {
public:
  explicit Channel(int Socket = -1) : Socket(Socket) {}

  int socket() const { return Socket; }
  /// What poll() is to wait for.
  short events() const;
  /// Keeps the value, to be sent by transfer().
  void send(const llvm::json::Value &Message);
  /// Reads what has arrived and writes what can be written; false when the
  /// other side is gone.
  bool transfer();
  /// The next value that has arrived as a whole. What is no JSON is null.
  std::optional<llvm::json::Value> next();

  /// For a process that has nothing else to do: waits until there is a value;
  /// nothing when the other side is gone.
  std::optional<llvm::json::Value> wait();
  /// Likewise, until all is sent.
  bool flush();

private:
  int Socket;
  std::string In, Out;
};

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_CHANNEL_H
