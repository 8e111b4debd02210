//===- RequestTableSimulator.h - An SM's loads, made up ---------*- C++ -*-===//
//
// Thread-Latency curves of a made-up SM: one load/store unit that issues a
// request at a time, a table of pending requests of one of Lashgar's designs,
// a memory of fixed latency (or one with spread) and a return path that
// delivers one request at a time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_SIMULATE_REQUESTTABLESIMULATOR_H
#define WARPWISE_PROFILER_INFERENCE_SIMULATE_REQUESTTABLESIMULATOR_H

#include "profiler/inference/ThreadLatency.h"

#include <random>

namespace warpwise::inference {

struct LoadPath {
  enum class Table {
    None,
    Mshr,           ///< an entry for each block of RequestBytes
    Prt,            ///< an entry for each load of a warp
    PrtPerScheduler ///< the same, a table for each scheduler
  } Design = Table::None;
  unsigned Entries = 0;
  /// Requests of threads that an MSHR takes; 0: any number.
  unsigned Merges = 0;
  /// What happens to the next request for the block of a full MSHR: it waits
  /// until that is free, or takes another one.
  bool WaitsForFullEntry = true;
  unsigned RequestBytes = 128; ///< line or sector
  /// Loads that a warp can have pending; 0: any number.
  unsigned LoadsPerWarp = 0;
  unsigned Schedulers = 4;
  double Latency = 500;      ///< of the memory, cycles
  double LatencySpread = 0;  ///< each request takes up to this much longer
  double IssueCycles = 1;    ///< of the load/store unit, per request
  double ReturnCycles = 0.5; ///< of the return path, per request
  double Overhead = 24;      ///< of the barriers and clock reads around it
};

/// What a measurement adds: normal noise, and outliers in one direction.
struct TimingNoise {
  double Sigma = 0;
  double OutlierShare = 0;
  double OutlierCycles = 0;
};

class RequestTableSimulator {
public:
  explicit RequestTableSimulator(LoadPath Path, TimingNoise Noise = {},
                                 uint64_t Seed = 1)
      : Path(Path), Noise(Noise), Random(Seed) {}

  /// Cycles until all loads of \p Threads threads have arrived, without noise.
  double cycles(const ThreadLatencySeries &Pattern, unsigned Threads);

  /// The curve for 32 / \p ThreadStep points per warp up to \p MaxThreads.
  ThreadLatencySeries measure(unsigned LoadsPerThread, unsigned Merge,
                              unsigned StepBytes, unsigned ThreadStep = 2,
                              unsigned MaxThreads = 1024);

private:
  LoadPath Path;
  TimingNoise Noise;
  std::mt19937_64 Random;
};

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_SIMULATE_REQUESTTABLESIMULATOR_H
