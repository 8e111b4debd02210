//===- SpacedLaunches.h - "k<< <1, 32> >>(x)" -------------------*- C++ -*-===//
//
// nvcc takes launch brackets with blanks in them, which some formatters put
// there; Clang does not, and with the launch it loses the instance of a
// template that it makes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_SPACEDLAUNCHES_H
#define WARPWISE_ANALYZER_FRONTEND_SPACEDLAUNCHES_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <optional>
#include <string>

namespace warpwise::frontend {

/// \p Source with the blanks within launch brackets moved behind them, so that
/// every other token keeps its line and column; nothing when there are none.
/// Brackets are those of a launch when they stand behind an expression, close
/// at their own level, and arguments in parentheses follow. Comments, strings
/// and operator<< are left alone.
std::optional<std::string> joinLaunchBrackets(llvm::StringRef Source);

/// \p Base with joinLaunchBrackets() done to every file that is opened.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
joinLaunchBrackets(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_SPACEDLAUNCHES_H
