//===- ScratchUse.h - Device memory of one kernel only ----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_SCRATCHUSE_H
#define WARPWISE_ANALYZER_LAUNCH_SCRATCHUSE_H

#include "clang/AST/ExprCXX.h"

namespace warpwise::launch {

/// Whether argument \p Number of \p Launch is a pointer in a local variable of
/// which its function does nothing else but allocate, fill and free what it
/// leads to, and launch that kernel: nobody looks at what the kernel leaves
/// there. The variable is set once, by its declaration or by cudaMalloc and its
/// kin; that a function which returns the memory keeps it nowhere is believed.
bool isScratch(const clang::CUDAKernelCallExpr *Launch, unsigned Number);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_SCRATCHUSE_H
