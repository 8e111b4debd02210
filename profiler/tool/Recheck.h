//===- Recheck.h - Whether a profile still describes its GPU ----*- C++ -*-===//
//
// Picks what `warpwise profiles check` measures again and judges the result.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_RECHECK_H
#define WARPWISE_PROFILER_TOOL_RECHECK_H

#include "kernels/harness/Benchmark.h"
#include "profiler/profile/Profile.h"

#include <random>
#include <span>
#include <string>
#include <vector>

namespace warpwise::tool {

/// A random 5 % of what \p Stored has measured, at least five, of the
/// quantities that the quick latency and geometry benchmarks among \p All
/// provide; fewer when there are not as many. Sorted.
std::vector<std::string> samplePaths(const profile::Profile &Stored,
                                     std::span<const harness::Benchmark> All,
                                     std::mt19937_64 &Random);

/// The benchmarks among \p All that provide \p Paths, each once.
std::vector<const harness::Benchmark *>
providers(std::span<const harness::Benchmark> All,
          const std::vector<std::string> &Paths);

struct Recheck {
  enum class Verdict { Agrees, Differs, NotMeasured };
  std::string Path;
  std::string Stored, Now; ///< with their units
  std::string Difference;  ///< "+0.3 %", empty for words
  Verdict Says = Verdict::NotMeasured;
};

/// Compares \p Now with \p Stored at \p Paths. Sizes and counts agree within
/// 0.5 %; times within 2 % or 1.5 cycles, because a quick run takes fewer
/// samples; words have to be equal.
std::vector<Recheck> compare(const profile::Profile &Stored,
                             const profile::Profile &Now,
                             const std::vector<std::string> &Paths);

/// The comparisons as a table with a line for each.
std::string table(const std::vector<Recheck> &Rows);

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_RECHECK_H
