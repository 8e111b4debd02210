//===- ThreadUses.h - Where kernels ask for their thread --------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_FRONTEND_THREADUSES_H
#define WARPWISE_ANALYZER_FRONTEND_THREADUSES_H

#include "analyzer/source/ThreadIndices.h"

#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace warpwise::frontend {

/// Of the kernels that \p Context defines, each once however many instances its
/// template has.
std::vector<ThreadIndices> threadUses(clang::ASTContext &Context);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_THREADUSES_H
