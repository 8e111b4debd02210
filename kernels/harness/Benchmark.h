//===- Benchmark.h - One microbenchmark and the list of all -----*- C++ -*-===//
//
// A microbenchmark is a folder below kernels/ with a .cu file that holds one
// Registration, and a README.md. Nothing else names it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_BENCHMARK_H
#define WARPWISE_KERNELS_HARNESS_BENCHMARK_H

#include "profiler/profile/EntryPath.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::harness {

class Session;

/// Where a benchmark stands in time. Later stages read what earlier ones
/// recorded.
enum class Stage {
  Device,   ///< clock and facts of the driver
  Latency,  ///< of every memory; all else builds on it
  Geometry, ///< capacities, lines, sets, TLBs, topology
  Warp,     ///< what a warp's request costs; concurrency
  Bandwidth,
  Validation ///< predictions from all of the above
};

struct Benchmark {
  std::string_view Name;     ///< the folder's name: "cache-latency"
  std::string_view Measures; ///< one line for the list and the progress
  Stage When = Stage::Geometry;
  bool Quick = false;   ///< part of `warpwise profile --quick`
  bool NeedsGpu = true; ///< false: a compiler is enough
  /// Dotted paths of the quantities that this benchmark records, with their
  /// unit. Those that are missing after it failed are recorded as
  /// not-measurable with the failure as the reason.
  struct Promise {
    profile::EntryPath Path;
    std::string_view Unit;
  };
  std::vector<Promise> Provides = {};
  void (*Run)(Session &S) = nullptr;
};

/// Puts a benchmark on the list; one static object per folder.
class Registration {
public:
  explicit Registration(Benchmark B);
};

/// All benchmarks by stage, then by name.
const std::vector<Benchmark> &benchmarks();

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_BENCHMARK_H
