//===- DeviceLaunches.h - Kernels launched by kernels -----------*- C++ -*-===//
//
// Clang does not support dynamic parallelism and would call the child kernel
// like a function. The child is a kernel of its own with its own shape; what it
// accesses must not be counted for its parent.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_FRONTEND_DEVICELAUNCHES_H
#define WARPWISE_ANALYZER_FRONTEND_DEVICELAUNCHES_H

namespace llvm {
class Module;
}

namespace warpwise::frontend {

/// Removes all calls of kernels from \p Module.
void removeDeviceLaunches(llvm::Module &Module);

} // namespace warpwise::frontend

#endif // WARPWISE_ANALYZER_FRONTEND_DEVICELAUNCHES_H
