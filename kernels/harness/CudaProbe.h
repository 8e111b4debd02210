//===- CudaProbe.h - Timed accesses on the device ---------------*- C++ -*-===//
//
// The device's side of inference::AccessProbe: one warp makes the loads of a
// list one after the other and keeps the time of each.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_CUDAPROBE_H
#define WARPWISE_KERNELS_HARNESS_CUDAPROBE_H

#include "kernels/harness/Cuda.h"
#include "profiler/inference/AccessProbe.h"

#include <memory>

namespace warpwise::harness {

/// Which memory path a probe times.
enum class ProbedPath {
  GlobalL1, ///< ld.global.ca; L1 is empty at each launch
  GlobalL2, ///< ld.global.cg; L2 keeps its lines between launches
  ReadOnly, ///< ld.global.nc
  Texture,  ///< tex1Dfetch on linear memory
  Constant  ///< ld.const; at most 64 KiB, caches keep their lines in a launch
};

struct ProbeOptions {
  ProbedPath Path = ProbedPath::GlobalL1;
  /// Shared memory of the SM in bytes, which L1 then lacks; 0 for the smallest
  /// that the driver gives.
  uint64_t Carveout = 0;
  /// Before each time(): overwrite L2, so that all lines come from DRAM.
  bool FlushL2 = false;
  /// Of the array. Beyond 16 GiB offsets are multiples of 128.
  uint64_t Bytes = 1 << 20;
};

/// The array is zero, and a load's value is added to the next address: each
/// load waits for the one before, in any order of offsets. Where L1 is timed,
/// neither the list of offsets nor the log of times takes a line of it.
class CudaProbe : public inference::AccessProbe {
public:
  CudaProbe(const Device &D, const ProbeOptions &O);
  ~CudaProbe() override;

  uint64_t size() const override;
  /// Most loads that one time() takes.
  size_t longest() const;
  std::vector<float> time(std::span<const uint64_t> Offsets) override;
  /// Loads a word every \p Stride bytes of the first \p Bytes from one SM, many
  /// at once: fills L2 faster than timed loads.
  void touch(uint64_t Bytes, uint64_t Stride);

private:
  struct State;
  std::unique_ptr<State> It;
};

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_CUDAPROBE_H
