//===- Gpu.h - What the commands need a GPU for -----------------*- C++ -*-===//
//
// The only part of the program that needs CUDA. A build without the toolkit has
// NoCuda.cpp instead of CudaGpu.cpp; everything else is the same.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_GPU_H
#define WARPWISE_PROFILER_TOOL_GPU_H

#include "kernels/harness/Runner.h"
#include "kernels/harness/Session.h"

#include <memory>
#include <string>

namespace warpwise::tool {

/// Empty when this build can measure, else one sentence that says why not and
/// what to do.
std::string whyNotMeasuring();

/// The GPU \p Ordinal, made current. Throws Skip or CudaFailure with one
/// sentence.
harness::Device openGpu(int Ordinal);

/// Throws Skip when measuring on \p D would give wrong numbers: too little
/// memory is free, or the timing bracket does not wait for a load.
void guardMeasuring(const harness::Device &D);
/// What else \p D has to do, as inference::whyBusy() says, or an empty string.
std::string whyBusy(const harness::Device &D);

/// Looks after the current GPU, \p D, during a run; \p MustBeIdle ends it when
/// others use the GPU.
std::unique_ptr<harness::Watch> watchGpu(const harness::Device &D,
                                         bool MustBeIdle);

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_GPU_H
