//===- Uri.h - Files as editors name them -----------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LSP_URI_H
#define WARPWISE_ANALYZER_LSP_URI_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace warpwise::lsp {

/// "file:///home/me/a%20b.cu"
std::string fileUri(llvm::StringRef Path);

} // namespace warpwise::lsp

#endif // WARPWISE_ANALYZER_LSP_URI_H
