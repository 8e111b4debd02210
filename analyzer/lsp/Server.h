//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// One loop over the editor's messages and the processes that look at documents.
// It only keeps texts and hands on answers, so it is never busy, and it has no
// threads, so that it can fork.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LSP_SERVER_H
#define WARPWISE_ANALYZER_LSP_SERVER_H

#include "analyzer/lsp/Analyst.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace warpwise::lsp {

struct ServerOptions {
  std::string Version; ///< of Warpwise
  /// Documents that are looked at at a time.
  unsigned Jobs = 1;
  /// So long nobody may have typed before a document is looked at again, but
  /// for the first of several edits.
  std::chrono::milliseconds Quiet{30};
  /// What takes longer is shown as progress.
  std::chrono::milliseconds Unnoticed{500};
  /// A look that takes longer has failed.
  std::chrono::milliseconds Patience = std::chrono::minutes(10);
  /// Of a document's process, in bytes beyond what the server has; 0: none.
  uint64_t MemoryLimit = uint64_t(4) << 30;
};

/// Serves the editor at standard input and output until it says "exit" or is
/// gone, and returns the exit status that the protocol asks for.
int serve(const ServerOptions &Options, const MakeAnalyst &Make);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_SERVER_H
