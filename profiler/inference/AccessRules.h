//===- AccessRules.h - What a memory can do for a warp ----------*- C++ -*-===//
//
// The decision rules of Fang et al. (2017), sections 4.2 and 4.3, and the table
// that follows from them (their Table 2): whether a memory broadcasts one
// element to many threads, serves many elements in parallel, and whether it
// minds misaligned and non-consecutive access.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_ACCESSRULES_H
#define WARPWISE_PROFILER_INFERENCE_ACCESSRULES_H

#include "profiler/profile/Profile.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace warpwise::inference {

/// Threads of a warp that read the same element.
constexpr std::array<unsigned, 6> BroadcastDegrees{1, 2, 4, 8, 16, 32};

/// Latencies whose ratio is up to this are the same. Fang takes 10 of 218 clk
/// for no difference; 31 more words served one after the other at a clock each
/// are much more.
constexpr double SameLatency = 1.10;
/// A warp that is slower than a thread by up to this ratio is as fast: the two
/// loops may differ by the arithmetic of an address, 6 clk on 30.
constexpr double ThreadTolerance = 1.25;
/// An effect up to this ratio is none.
constexpr double NoEffect = 1.05;
/// From this ratio on it is large. Fang calls 12 of 110 clk small and twice the
/// latency large; this is the middle of the two ratios.
constexpr double LargeEffect = 1.5;

/// What the memory can do; unset is unknown.
struct Capability {
  std::optional<bool> Broadcast, Parallel;
  /// Latency at degree 1 over latency at degree 32.
  double Spread = 1;
};
/// Rules 1 to 3: falls with the degree: broadcast only; rises: parallel only;
/// flat: both if the warp is as fast as a thread, else neither. Neither flat,
/// falling nor rising, or flat without \p Thread: unknown.
Capability
capabilityOf(const std::array<double, BroadcastDegrees.size()> &ByDegree,
             std::optional<double> Thread);

enum class Impact { None, Small, Large };
/// "none", "small", "large".
std::string_view impactName(Impact I);
/// Of a pattern that takes \p Constrained cycles where the aligned, consecutive
/// one takes \p Aligned. Faster is no impact.
Impact impactOf(double Constrained, double Aligned);

/// The latency of one thread in \p Memory ("shared", "constant", "global",
/// "texture"). Global memory has one for each cache level: the one that is
/// nearest to \p Like, since that is where the elements were.
std::optional<double> threadLatency(const profile::Profile &P,
                                    std::string_view Memory, double Like);

/// Capability of \p Memory from warp.<memory>.broadcast.degree_<n>; nothing if
/// one of them is missing.
std::optional<Capability> capability(const profile::Profile &P,
                                     std::string_view Memory);

/// Records Table 2: warp.<memory>.{broadcast_support, parallel_support,
/// alignment_impact, consecutive_impact} for the four memories, as words with
/// the numbers behind them in the method; what is missing is not-measurable
/// with the reason.
void deriveAccessTable(profile::Profile &P);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_ACCESSRULES_H
