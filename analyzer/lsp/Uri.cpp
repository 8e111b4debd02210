//===- Uri.cpp - Files as editors name them -------------------------------===//

#include "analyzer/lsp/Uri.h"

#include "llvm/ADT/StringExtras.h"

namespace warpwise::lsp {

std::string fileUri(llvm::StringRef Path) {
  std::string Uri = "file://";
  for (const char C : Path)
    if (llvm::isAlnum(C) || llvm::StringRef("-._~/").contains(C)) {
      Uri += C;
    } else {
      Uri += '%';
      Uri += llvm::toHex(llvm::StringRef(&C, 1));
    }
  return Uri;
}

} // namespace warpwise::lsp
