//===- CommandParts.h - Steps of the translation ----------------*- C++ -*-===//
//
// The steps of translating a compile command that live in files of their own.
// Only the frontend includes this header.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_COMMANDPARTS_H
#define WARPWISE_ANALYZER_FRONTEND_COMMANDPARTS_H

#include "analyzer/frontend/CompileCommands.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <string>

namespace warpwise::frontend {

/// Whose command-line syntax a compiler understands.
enum class Syntax { Nvcc, Gnu, Cl };

/// A compiler's place in a command, behind its launchers (ccache, env).
struct Compiler {
  size_t Index;
  Syntax Kind;
};

/// The compiler of \p CommandLine, which is not empty. When no word names one
/// that is known, the first word is taken for one that understands GCC's flags.
Compiler findCompiler(llvm::ArrayRef<std::string> CommandLine);

/// The toolkit that the user asks for, or else \p CudaPath, if it is one, or
/// else the one that findToolkit() finds for the compiler \p Program.
llvm::Expected<Toolkit> chooseToolkit(const CommandOptions &Options,
                                      llvm::StringRef CudaPath,
                                      llvm::StringRef Program,
                                      llvm::StringRef Directory);

/// Fills in the architectures of \p Result, and a note when they differ, from
/// the ones that the command lists. Returns the value that nvcc would give to
/// __CUDA_ARCH_LIST__.
std::string chooseArch(llvm::ArrayRef<std::string> Listed,
                       llvm::StringRef Preferred, DeviceCommand &Result);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_COMMANDPARTS_H
