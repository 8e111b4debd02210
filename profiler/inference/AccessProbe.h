//===- AccessProbe.h - Something whose accesses can be timed ----*- C++ -*-===//
//
// The one view that the cache inference has of a memory system: give it the
// offsets of loads, get back what each took. A GPU is one (kernels/harness), a
// simulated cache another (simulate/), so every deduction is tested where the
// answer is known.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_ACCESSPROBE_H
#define WARPWISE_PROFILER_INFERENCE_ACCESSPROBE_H

#include <cstdint>
#include <span>
#include <vector>

namespace warpwise::inference {

class AccessProbe {
public:
  virtual ~AccessProbe() = default;

  /// Bytes that offsets may reach; a whole number of 32-byte sectors.
  virtual uint64_t size() const = 0;

  /// Starts with the cache in question empty, then loads the 4-byte words at
  /// \p Offsets (bytes, multiples of 4) one after the other, each after the
  /// value of the one before has arrived. Returns the latency of each in
  /// cycles of the SM's clock, with a constant bias of the bracket.
  virtual std::vector<float> time(std::span<const uint64_t> Offsets) = 0;
};

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_ACCESSPROBE_H
