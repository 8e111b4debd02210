//===- NoCuda.cpp - Gpu.h for a build without the CUDA toolkit ------------===//

#include "profiler/tool/Gpu.h"

namespace warpwise::tool {

std::string whyNotMeasuring() {
  return "this build has no CUDA toolkit, so it cannot measure; install one "
         "(developer.nvidia.com/cuda-downloads), name it in CUDA_PATH unless "
         "it is /usr/local/cuda, and build again";
}

harness::Device openGpu(int) { throw harness::Skip(whyNotMeasuring()); }

void guardMeasuring(const harness::Device &) {
  throw harness::Skip(whyNotMeasuring());
}

std::string whyBusy(const harness::Device &) {
  throw harness::Skip(whyNotMeasuring());
}

std::unique_ptr<harness::Watch> watchGpu(const harness::Device &, bool) {
  throw harness::Skip(whyNotMeasuring());
}

} // namespace warpwise::tool
