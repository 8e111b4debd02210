//===- CudaGpu.cpp - Gpu.h with CUDA --------------------------------------===//

#include "profiler/tool/Gpu.h"

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Guard.h"

#include <fmt/format.h>

namespace warpwise::tool {
namespace {

class CudaWatch : public harness::Watch {
public:
  double clock() override { return harness::warmUpClock(); }

  std::string lost() override {
    // An error that ends the context comes back from every later call.
    cudaGetLastError();
    const cudaError_t E = cudaDeviceSynchronize();
    if (E == cudaSuccess || cudaFree(nullptr) == cudaSuccess)
      return "";
    return fmt::format("{} ({})", cudaGetErrorString(E), cudaGetErrorName(E));
  }
};

} // namespace

std::string whyNotMeasuring() { return ""; }

harness::Device openGpu(int Ordinal) {
  // Without a driver the runtime complains about the version of the driver.
  int Version = 0;
  if (cudaDriverGetVersion(&Version) == cudaSuccess && Version == 0)
    throw harness::Skip("no NVIDIA driver is installed, so there is no GPU to "
                        "measure");
  return harness::openDevice(Ordinal);
}

void guardMeasuring(const harness::Device &D) {
  harness::guardMemory(D);
  harness::guardTiming(D);
}

void guardIdle(const harness::Device &D) {
  // A GPU that just woke up scatters like a busy one.
  harness::warmUpClock();
  harness::guardIdle(D);
}

std::unique_ptr<harness::Watch> watchGpu() {
  return std::make_unique<CudaWatch>();
}

} // namespace warpwise::tool
