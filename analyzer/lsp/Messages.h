//===- Messages.h - Messages that MLIR's library does not have --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LSP_MESSAGES_H
#define WARPWISE_ANALYZER_LSP_MESSAGES_H

#include "mlir/Tools/lsp-server-support/Protocol.h"
#include "llvm/Support/JSON.h"

namespace warpwise::lsp {

/// Parameters as they are, for those who take what they need of them.
struct Any {
  llvm::json::Value Value = nullptr;
};
inline bool fromJSON(const llvm::json::Value &From, Any &Into,
                     llvm::json::Path) {
  Into.Value = From;
  return true;
}
inline llvm::json::Value toJSON(const Any &From) { return From.Value; }

/// textDocument/didSave
struct DidSave {
  mlir::lsp::TextDocumentIdentifier Document;
};
inline bool fromJSON(const llvm::json::Value &From, DidSave &Into,
                     llvm::json::Path Path) {
  llvm::json::ObjectMapper Map(From, Path);
  return Map && Map.map("textDocument", Into.Document);
}

/// An error that the client gets as the answer to a request.
inline llvm::Error failure(mlir::lsp::ErrorCode Code, std::string Sentence) {
  return llvm::make_error<mlir::lsp::LSPError>(std::move(Sentence), Code);
}

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_MESSAGES_H
