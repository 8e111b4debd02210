//===- SystemFiles.h - Which files are not the user's -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_ACCESS_SYSTEMFILES_H
#define WARPWISE_ANALYZER_ACCESS_SYSTEMFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
}

namespace warpwise::access {

/// Absolute paths of the files that the parse entered as system headers.
/// Relative ones are taken from \p Directory.
llvm::StringSet<> systemFiles(const clang::ASTContext &Context,
                              llvm::StringRef Directory);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_ACCESS_SYSTEMFILES_H
