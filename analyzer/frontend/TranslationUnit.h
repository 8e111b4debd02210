//===- TranslationUnit.h - A CUDA file, parsed for the device ---*- C++ -*-===//
//
// Runs Clang's device pass over one translation unit and keeps going where a
// compiler would stop: an error in host code costs nothing, a device function
// with an error in it is dropped and named.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_TRANSLATIONUNIT_H
#define WARPWISE_ANALYZER_FRONTEND_TRANSLATIONUNIT_H

#include "analyzer/frontend/CompileCommands.h"
#include "analyzer/frontend/Interruption.h"
#include "analyzer/source/Place.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace warpwise::frontend {

/// A compiler diagnostic that touched the analysis.
struct Problem {
  access::Place Where;
  std::string Message;
};

/// A device function that was left out, with the error that made it so.
struct DroppedFunction {
  std::string Name;    ///< qualified name
  std::string Mangled; ///< empty when it cannot be mangled (a template)
  bool IsKernel = false;
  access::Place Where;
  Problem Cause;
};

/// What the parse produced besides the module.
struct ParseResult {
  /// Device IR as Clang emits it at -O1 with no pass run, with debug
  /// locations; null when there is none at all. Calls into CUDA's mathematics
  /// are described (MathCalls.h), launches by kernels are gone
  /// (DeviceLaunches.h). Relocatable device code (-rdc=true) has the module
  /// flag "warpwise-relocatable".
  std::unique_ptr<llvm::Module> Module;
  /// In source order. Who calls one of them calls a declaration. Who uses a
  /// type or a variable with an error is itself among them.
  std::vector<DroppedFunction> Dropped;
  /// Errors outside of device functions, and headers that were not found.
  std::vector<Problem> HostErrors;
  std::vector<std::string> MissingHeaders;
};

/// What a parse makes code of.
enum class CodeFor {
  Kernels,    ///< they and all that they use
  OtherFiles, ///< the same, and functions that other files can call
};

/// Parses \p Command for the device. \p WithAST is called after the last
/// declaration and before code generation ends, while the AST is alive. The
/// error is one sentence for the user (no such file, unusable command). \p Stop
/// may be null.
llvm::Expected<ParseResult>
parseForDevice(const DeviceCommand &Command, llvm::LLVMContext &Context,
               llvm::function_ref<void(clang::ASTContext &)> WithAST,
               Interruption *Stop = nullptr, CodeFor Wanted = CodeFor::Kernels);

/// Parses \p Command for the sake of its host code alone, as CUDA whatever its
/// suffix, and calls \p WithAST; errors in the code do not matter. The error is
/// one sentence, and then \p WithAST has not been called.
llvm::Error
parseHostCode(const DeviceCommand &Command,
              llvm::function_ref<void(clang::ASTContext &)> WithAST);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_TRANSLATIONUNIT_H
