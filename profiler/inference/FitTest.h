//===- FitTest.h - Whether lines fit into a cache together ------*- C++ -*-===//
//
// The one question that geometry is built on. Lines that fit all hit from the
// second traversal on; if they do not, then each traversal has a miss whatever
// is replaced, because not all of them can have been there when it began.
//
// Timings have one-sided outliers. Few look like a miss, since they would have
// to end between the threshold and the slowest miss; how many do is measured
// first, and only more misses than these explain count.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_FITTEST_H
#define WARPWISE_PROFILER_INFERENCE_FITTEST_H

#include "profiler/inference/CacheGeometry.h"

namespace warpwise::inference {

class FitTest {
public:
  /// Lists of a probe stay below this where the question allows it: those of
  /// L1 are kept in 64 KiB of constant memory.
  static constexpr size_t LongestList = 15000;

  /// Measures the share of strays: one word again and again.
  FitTest(AccessProbe &Probe, const HitRule &Rule);

  /// Misses of each offset in the traversals after the first.
  struct Walk {
    std::vector<unsigned> Misses; ///< by place in the list of offsets
    unsigned Passes = 0;          ///< traversals that were counted
    uint64_t total() const;
  };
  /// \p Calls times, each from an empty cache; in the order of \p Offsets or
  /// in a new random one for each traversal.
  Walk walk(std::span<const uint64_t> Offsets, unsigned Calls = 1,
            std::mt19937_64 *Shuffle = nullptr);
  /// Whether the misses of \p W are strays.
  bool fits(const Walk &W) const;
  bool fits(std::span<const uint64_t> Offsets, unsigned Calls = 1) {
    return fits(walk(Offsets, Calls));
  }

  /// Which loads of \p Offsets miss. Where the cache does the same each time
  /// and there are strays, a miss has to come twice.
  std::vector<bool> misses(std::span<const uint64_t> Offsets);
  /// Finds out whether the cache does the same each time, by lines that do not
  /// fit.
  void learnWhetherRepeatable(std::span<const uint64_t> TooMany);

  bool isMiss(float Cycles) const {
    return Cycles >= Rule.Threshold && Cycles < Rule.Ceiling;
  }
  /// Whether strays were seen.
  bool noisy() const { return Noisy; }
  /// Whether misses() has them, too.
  bool hasStrays() const { return Noisy && !Repeatable; }
  AccessProbe &probe() const { return Probe; }

private:
  AccessProbe &Probe;
  HitRule Rule;
  double Strays = 0; ///< share of the hits that look like a miss
  bool Noisy = false;
  bool Repeatable = false;
};

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_FITTEST_H
