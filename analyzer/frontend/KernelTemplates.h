//===- KernelTemplates.h - Kernels that nothing makes -----------*- C++ -*-===//
//
// A template that nothing instantiates has no code, so nothing can be said
// about it. That is worth a word where a file seems to have no kernel at all.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_KERNELTEMPLATES_H
#define WARPWISE_ANALYZER_FRONTEND_KERNELTEMPLATES_H

#include "analyzer/source/Place.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace warpwise::frontend {

struct KernelTemplate {
  std::string Name; ///< qualified
  access::Place Where;
};

/// Kernel templates that are defined outside of system headers and have no
/// instance, in source order.
std::vector<KernelTemplate> unusedKernelTemplates(clang::ASTContext &Context);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_KERNELTEMPLATES_H
