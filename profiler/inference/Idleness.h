//===- Idleness.h - Whether a GPU does nothing else -------------*- C++ -*-===//
//
// From what was seen of a GPU to whether it has other work: numbers that are
// taken beside that describe the other work as well.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_IDLENESS_H
#define WARPWISE_PROFILER_INFERENCE_IDLENESS_H

#include <optional>
#include <string>
#include <vector>

namespace warpwise::inference {

/// What was seen; what could not be seen is empty.
struct IdleEvidence {
  /// Cycles of a load in the same chase through L2, again and again: others who
  /// run at the same time are in the way.
  std::vector<double> ChaseCycles;
  /// From one to the next of equal launches of some hundred microseconds that
  /// were queued in a row: who takes turns with us lengthens a few of these by
  /// whole slices of time.
  std::vector<double> SpinMilliseconds;
  /// Shares of the last moments in which kernels ran and in which memory was
  /// read or written, as the driver says, before we did; percent.
  std::optional<unsigned> UtilisationPercent, MemoryPercent;
  /// What crosses the bus to the host, either way, while we copy nothing.
  std::optional<double> BusMegabytesPerSecond;
};

/// Empty when nothing speaks against the GPU being ours alone, else what does,
/// as a sentence without a full stop.
std::string whyBusy(const IdleEvidence &Seen);

/// A benchmark that ran while the GPU had other work.
struct Disturbance {
  std::string When; ///< "before the benchmarks", "in bank-conflicts"
  std::string Why;  ///< as whyBusy() says
};

/// For the environment of a profile: each cause once, with where it was seen.
std::string describe(const std::vector<Disturbance> &All);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_IDLENESS_H
