//===- HostFiles.h - The other files of a kernel's program ------*- C++ -*-===//
//
// What a kernel is launched with is often said in another file: main.cpp calls
// a function of kernel.cu with the sizes. The files come from the user, from
// the compile database, or lie beside the kernel's file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_HOSTFILES_H
#define WARPWISE_ANALYZER_TOOL_HOSTFILES_H

#include "analyzer/pipeline/Analyze.h"
#include "analyzer/tool/Session.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpwise::tool {

struct HostFile {
  frontend::DeviceCommand Command;
  /// The user asked for it; the others are read only where they help.
  bool Named = false;
};

/// The files that may be part of the program of \p S's first unit: \p Named by
/// the user, and only those, or else the files of the same target of the
/// compile database, or without one the C++ and CUDA files of its folder.
llvm::Expected<std::vector<HostFile>>
findHostFiles(const Session &S, const std::vector<std::string> &Named);

/// The files beside \p Unit that have a main, for analyses that read others
/// only where they help: those of \p From, or without any the C++ and CUDA
/// files of its folder. Both have to outlive it.
std::shared_ptr<const pipeline::RestOfProgram>
programOf(const frontend::DeviceCommand &Unit, const Inputs &From);

/// Parses those of \p Files that lead from main to a launch in \p Main and
/// calls \p WithProgram once, with \p Main first, while all of them are alive.
/// Adds a note for each file that was read, and one for each of the user's that
/// could not be. Of those that nobody named it tries \p Most.
void parseProgram(
    clang::ASTContext &Main, std::vector<HostFile> Files, size_t Most,
    std::vector<std::string> &Notes,
    llvm::function_ref<void(llvm::ArrayRef<clang::ASTContext *>)> WithProgram);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_HOSTFILES_H
