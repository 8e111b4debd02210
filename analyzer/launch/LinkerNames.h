//===- LinkerNames.h - Names that link translation units --------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LINKERNAMES_H
#define WARPWISE_ANALYZER_LAUNCH_LINKERNAMES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <string>

namespace warpwise::launch {

/// Mangled names of functions and variables of any translation unit; of
/// kernels, as device code has them.
class LinkerNames {
public:
  const std::string &get(const clang::NamedDecl *Declaration);

private:
  llvm::DenseMap<clang::ASTContext *, std::unique_ptr<clang::MangleContext>>
      Manglers;
  std::map<const clang::NamedDecl *, std::string> Known;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LINKERNAMES_H
