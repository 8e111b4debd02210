//===- SharedMemory.cpp - Fang's S_1 to S_6 -------------------------------===//
//
// Bank conflicts, capabilities, constraints, and whether staging pays.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/guidelines/Evidence.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::inference;
using namespace warpwise::inference::guidelines;

namespace {

constexpr Path NeedsS1[] = {paths::warp_shared_conflict_degree_1,
                            paths::warp_shared_conflict_degree_32};
Guideline testS1(const Profile &P) {
  const Change C = change(P, NeedsS1[0], NeedsS1[1]);
  return verdict(
      C.Ratio > NoEffect, C.Ratio,
      fmt::format("32-way conflicts raise the latency from {}", C.Text));
}

constexpr Path NeedsS2[] = {"warp.shared.broadcast.degree_*",
                            paths::levels_shared_latency};
Guideline testS2(const Profile &P) {
  return testCapability(P, "shared", Expected::Both);
}

constexpr Path NeedsS3[] = {paths::warp_shared_constraint_aligned,
                            paths::warp_shared_constraint_misaligned,
                            paths::warp_shared_constraint_nonconsecutive};
Guideline testS3(const Profile &P) {
  const double Effect =
      std::max(constraintRatio(P, "shared", "misaligned"),
               constraintRatio(P, "shared", "nonconsecutive"));
  return verdict(Effect < LargeEffect, Effect,
                 fmt::format("{}, {}, {}",
                             citedConstraint(P, "shared", "misaligned"),
                             citedConstraint(P, "shared", "nonconsecutive"),
                             citedAligned(P, "shared")));
}

constexpr Path NeedsS4[] = {paths::warp_shared_threads_aligned_32,
                            paths::warp_shared_threads_aligned_1024};
Guideline testS4(const Profile &P) {
  const Change C = change(P, NeedsS4[0], NeedsS4[1]);
  const double Effect = 1 / C.Ratio;
  return verdict(
      Effect > NoEffect, Effect,
      fmt::format("from 32 to 1024 threads the latency goes from {}; per warp "
                  "of the block that is {:.3g} times the throughput",
                  C.Text, 32 / C.Ratio));
}

/// The latency of global memory that has been used before: L1, or L2 on a
/// device whose L1 does not serve global loads.
Path globalLatency(const Profile &P) {
  return P.value(paths::levels_l1_latency) ? paths::levels_l1_latency
                                           : paths::levels_l2_latency;
}

constexpr Path NeedsS5[] = {paths::levels_shared_latency,
                            paths::levels_l2_latency};
Guideline testS5(const Profile &P) {
  const Path Global = globalLatency(P);
  const double Effect = at(P, Global) / at(P, NeedsS5[0]);
  return verdict(Effect > NoEffect, Effect,
                 fmt::format("shared memory takes {}, global memory {} at best "
                             "and {} beyond the L1",
                             cited(P, NeedsS5[0]), cited(P, Global),
                             cited(P, NeedsS5[1])));
}

constexpr Path NeedsS6[] = {paths::levels_shared_staging_overhead,
                            paths::warp_shared_reuse_breakeven};
Guideline testS6(const Profile &P) {
  const double Uses = at(P, NeedsS6[1]);
  return verdict(Uses > 1, Uses > 0 ? std::optional(Uses) : std::nullopt,
                 fmt::format("staging takes {} and pays from {:.3g} uses on "
                             "({})",
                             cited(P, NeedsS6[0]), Uses, NeedsS6[1]));
}

constexpr Statement Statements[] = {
    {"S_1", "avoid bank conflicts", NeedsS1, testS1},
    {"S_2",
     "shared memory broadcasts and serves different elements in parallel",
     NeedsS2, testS2},
    {"S_3",
     "access to shared memory needs to be neither consecutive nor "
     "aligned",
     NeedsS3, testS3},
    {"S_4", "the latency of shared memory falls with the threads of a block",
     NeedsS4, testS4},
    {"S_5", "shared memory is faster than global memory", NeedsS5, testS5},
    {"S_6", "data in shared memory has to be reused to pay", NeedsS6, testS6},
};

} // namespace

std::span<const Statement> guidelines::ofSharedMemory() { return Statements; }
