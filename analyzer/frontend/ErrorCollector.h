//===- ErrorCollector.h - Errors with the functions they hit ----*- C++ -*-===//
//
// Keeps a compiler's errors instead of printing them, each together with the
// functions that Clang was parsing or instantiating when it raised the error.
// The location alone would not tell which instantiation of a template broke.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_ERRORCOLLECTOR_H
#define WARPWISE_ANALYZER_FRONTEND_ERRORCOLLECTOR_H

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace warpwise::frontend {

enum class ErrorKind {
  Ordinary,
  /// A __shared__ variable whose type has a constructor (SharedObjects.h).
  SharedInitializer
};

/// One error of the compiler.
struct CompileError {
  ErrorKind Kind = ErrorKind::Ordinary;
  clang::SourceLocation Where;
  std::string Message;
  /// The functions around it, innermost first. Empty for an error between
  /// functions and for one that Clang raises after the fact, like a call of a
  /// host function from the device.
  llvm::SmallVector<const clang::FunctionDecl *, 2> Owners;
};

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  /// From here on errors are attributed to what \p Compiler works on.
  void watch(clang::CompilerInstance &Compiler) { Watched = &Compiler; }

  /// From here on \p Other hears of everything, too; null: nobody.
  void passOn(clang::DiagnosticConsumer *Other) { Next = Other; }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  const std::vector<CompileError> &errors() const { return Errors; }

private:
  clang::CompilerInstance *Watched = nullptr;
  clang::DiagnosticConsumer *Next = nullptr;
  std::vector<CompileError> Errors;
};

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_ERRORCOLLECTOR_H
