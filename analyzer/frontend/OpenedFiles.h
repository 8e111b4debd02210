//===- OpenedFiles.h - What the compiler has read ---------------*- C++ -*-===//
//
// Which files a parse has opened, and which of them are not the user's. A #line
// directive can name any file, so only those that the compiler itself has read
// may be shown.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_OPENEDFILES_H
#define WARPWISE_ANALYZER_FRONTEND_OPENEDFILES_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
}

namespace warpwise::frontend {

/// Absolute paths, as the compiler spells them.
struct OpenedFiles {
  llvm::StringSet<> Users;
  /// Headers of the compiler, the toolkit and the system.
  llvm::StringSet<> System;
};

/// The files that the parse of \p Command has opened. A toolkit's headers are
/// nobody's to change however they were found: build systems name their folder
/// with -I, too.
OpenedFiles openedFiles(const clang::ASTContext &Context,
                        const frontend::DeviceCommand &Command);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_OPENEDFILES_H
