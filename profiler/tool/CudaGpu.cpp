//===- CudaGpu.cpp - Gpu.h with CUDA --------------------------------------===//

#include "profiler/tool/Gpu.h"

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Guard.h"
#include "profiler/tool/Nvml.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::tool {
namespace {

/// The most of what crosses the bus in \p Looks at it: copies may have pauses.
std::optional<double> mostOnBus(const Nvml &Driver, unsigned Looks) {
  std::optional<double> Most;
  for (unsigned I = 0; I != Looks; ++I) {
    const std::optional<double> Now = Driver.busMegabytesPerSecond();
    if (!Now)
      return std::nullopt;
    Most = std::max(Most.value_or(0), *Now);
  }
  return Most;
}

class CudaWatch : public harness::Watch {
  const harness::Device D;
  const Nvml Driver;
  const bool MustBeIdle;

public:
  CudaWatch(const harness::Device &D, bool MustBeIdle)
      : D(D), Driver(D.Uuid), MustBeIdle(MustBeIdle) {}

  double clock() override { return harness::warmUpClock(); }

  std::string lost() override {
    // An error that ends the context comes back from every later call.
    cudaGetLastError();
    const cudaError_t E = cudaDeviceSynchronize();
    if (E == cudaSuccess || cudaFree(nullptr) == cudaSuccess)
      return "";
    return fmt::format("{} ({})", cudaGetErrorString(E), cudaGetErrorName(E));
  }

  std::string busy() override {
    inference::IdleEvidence Seen = harness::observe(D, /*Brief=*/true);
    Seen.BusMegabytesPerSecond = mostOnBus(Driver, 1);
    return inference::whyBusy(Seen);
  }
  bool mustBeIdle() override { return MustBeIdle; }
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

std::string whyBusy(const harness::Device &D) {
  // Before anything of our own runs.
  const Nvml Driver(D.Uuid);
  const std::optional<Nvml::Use> Used = Driver.use();
  const std::optional<double> OnBus = mostOnBus(Driver, 4);
  // A GPU that just woke up scatters like a busy one.
  harness::warmUpClock();
  inference::IdleEvidence Seen = harness::observe(D, /*Brief=*/false);
  if (Used) {
    Seen.UtilisationPercent = Used->Kernels;
    Seen.MemoryPercent = Used->Memory;
  }
  Seen.BusMegabytesPerSecond = OnBus;
  return inference::whyBusy(Seen);
}

std::unique_ptr<harness::Watch> watchGpu(const harness::Device &D,
                                         bool MustBeIdle) {
  return std::make_unique<CudaWatch>(D, MustBeIdle);
}

} // namespace warpwise::tool
