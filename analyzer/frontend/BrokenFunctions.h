//===- BrokenFunctions.h - Leaves out what does not compile -----*- C++ -*-===//
//
// After a parse with errors: finds the device functions that an error touches,
// takes their bodies away so that code generation neither crashes on them nor
// emits something wrong, and names them with the error.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_BROKENFUNCTIONS_H
#define WARPWISE_ANALYZER_FRONTEND_BROKENFUNCTIONS_H

#include "analyzer/frontend/ErrorCollector.h"
#include "analyzer/frontend/TranslationUnit.h"

namespace warpwise::frontend {

/// Removes the bodies of all broken device functions of \p Context and returns
/// them in source order. Errors that touch none are added to \p HostErrors.
std::vector<DroppedFunction>
dropBrokenFunctions(clang::ASTContext &Context,
                    const std::vector<CompileError> &Errors,
                    std::vector<Problem> &HostErrors);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_BROKENFUNCTIONS_H
