//===- ErrorCollector.cpp - Errors with the functions they hit ------------===//

#include "analyzer/frontend/ErrorCollector.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/Cuda.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Parse/ParseDiagnostic.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace warpwise::frontend {

/// What Clang rejects and nvcc does not, where Clang's recovery is right.
static bool isHarmless(const Diagnostic &Info) {
  switch (Info.getID()) {
  case diag::err_attributes_not_allowed:
    // "__shared__ alignas(16) float Tile[64]": Clang goes on without the
    // alignment.
    return true;
  case diag::err_ref_bad_target:
    // A kernel that launches a kernel. The first argument is what is called.
    return Info.getRawArg(0) == uint64_t(CUDAFunctionTarget::Global);
  default:
    return false;
  }
}

void ErrorCollector::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                      const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Next)
    Next->HandleDiagnostic(Level, Info);
  if (Level < DiagnosticsEngine::Error || isHarmless(Info))
    return;

  CompileError Error;
  if (Info.getID() == diag::err_shared_var_init)
    Error.Kind = ErrorKind::SharedInitializer;
  Error.Where = Info.getLocation();
  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  Error.Message = Text.str().str();
  if (Watched && Watched->hasSema())
    for (const DeclContext *Context = Watched->getSema().CurContext; Context;
         Context = Context->getParent())
      if (const auto *Function = llvm::dyn_cast<FunctionDecl>(Context))
        Error.Owners.push_back(Function);
  Errors.push_back(std::move(Error));
}

} // namespace warpwise::frontend
