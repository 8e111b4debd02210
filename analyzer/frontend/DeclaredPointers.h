//===- DeclaredPointers.h - Pointer arguments of kernels --------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_FRONTEND_DECLAREDPOINTERS_H
#define WARPWISE_ANALYZER_FRONTEND_DECLAREDPOINTERS_H

#include "analyzer/source/DeclaredPointer.h"

#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace warpwise::frontend {

/// The pointer arguments of the kernels that \p Context defines, each once
/// however many instances its template has.
std::vector<DeclaredPointer> declaredPointers(clang::ASTContext &Context);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_DECLAREDPOINTERS_H
