//===- Simulator.h - The caches under a launch ------------------*- C++ -*-===//
//
// The physical half of the cache model: takes the traces of a launch's blocks
// and says what L1, L2 and DRAM have to do, for the launch and for each place
// in the source. Traces exist only while their block is on an SM.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SIMULATOR_H
#define WARPWISE_ANALYZER_REUSE_SIMULATOR_H

#include "analyzer/reuse/ReuseDistance.h"
#include "analyzer/reuse/Sampling.h"

namespace warpwise::reuse {

struct SimulationSettings {
  SampleSettings Sampling;
  /// For traces. Where it does not suffice, fewer SMs are simulated.
  uint64_t MostTraceBytes = uint64_t(1) << 30;
  /// Whether to make the reuse histograms; half as fast.
  bool ReuseDistances = false;
  unsigned MostWays = 32;        ///< of the histograms by set
  unsigned ReuseSampleShift = 3; ///< see ReuseDistance
};

/// Histograms of one level.
struct LevelReuse {
  ReuseHistogram BySet; ///< by ways
  ReuseHistogram Full;  ///< by lines
  uint64_t Sets = 0;
};

struct SimulationResult {
  std::string Error; ///< one sentence; then the rest is not valid
  Traffic Total;
  std::vector<Traffic> Sites; ///< as TraceSource::sites()
  Residency Room;
  uint64_t Waves = 0; ///< of the launch
  Sample Simulated;
  bool Bounded = false;    ///< by the footprint
  std::string SampleText;  ///< Simulated, in a sentence
  uint64_t Cycles = 0;     ///< simulated; an order of events, not a time
  uint64_t Accesses = 0;   ///< lines that warps asked for, simulated
  uint64_t TraceBytes = 0; ///< the most that traces took
  std::optional<LevelReuse> L1Reuse, L2Reuse;

  explicit operator bool() const { return Error.empty(); }
};

SimulationResult simulate(TraceSource &Source, const CacheOptions &Options,
                          const SimulationSettings &Settings = {});

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SIMULATOR_H
