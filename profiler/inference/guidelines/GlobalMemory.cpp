//===- GlobalMemory.cpp - Fang's G_1 to G_4 -------------------------------===//
//
// Capabilities, types, constraints, and the influence of threads and blocks.
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

constexpr Path NeedsG1[] = {"warp.global.broadcast.degree_*",
                            paths::levels_l2_latency};
Guideline testG1(const Profile &P) {
  return testCapability(P, "global", Expected::Both);
}

constexpr Path NeedsG2[] = {paths::bandwidth_char, paths::bandwidth_char4,
                            paths::bandwidth_float};
Guideline testG2(const Profile &P) {
  const double Effect = at(P, NeedsG2[1]) / at(P, NeedsG2[0]);
  std::string Evidence =
      fmt::format("{}, {}, {}", cited(P, NeedsG2[0]), cited(P, NeedsG2[1]),
                  cited(P, NeedsG2[2]));
  for (Path Other : {paths::bandwidth_double, paths::bandwidth_memcpy})
    if (P.value(Other))
      Evidence += ", " + cited(P, Other);
  return verdict(Effect > NoEffect, Effect, std::move(Evidence));
}

constexpr Path NeedsG3[] = {paths::warp_global_constraint_aligned,
                            paths::warp_global_constraint_misaligned,
                            paths::warp_global_constraint_nonconsecutive};
Guideline testG3(const Profile &P) {
  constexpr Path Full = paths::warp_global_blocks_nonconsecutive_full;
  constexpr Path FullAligned = paths::warp_global_blocks_aligned_full;
  double Effect = constraintRatio(P, "global", "nonconsecutive");
  std::string Evidence =
      fmt::format("{}, {}", citedConstraint(P, "global", "nonconsecutive"),
                  citedAligned(P, "global"));
  if (P.value(Full) && P.value(FullAligned)) {
    Effect = std::max(Effect, at(P, Full) / at(P, FullAligned));
    Evidence += fmt::format("; on a full GPU {} instead of {}", cited(P, Full),
                            cited(P, FullAligned));
  }
  const Impact Alignment =
      impactOf(constraintRatio(P, "global", "misaligned"), 1);
  Evidence +=
      fmt::format("; {}, {}", citedConstraint(P, "global", "misaligned"),
                  Alignment == Impact::Large
                      ? "so alignment is necessary as well"
                      : fmt::format("{} impact", impactName(Alignment)));
  return verdict(Effect > NoEffect, Effect, std::move(Evidence));
}

constexpr Path NeedsG4[] = {paths::warp_global_threads_nonconsecutive_32,
                            paths::warp_global_threads_nonconsecutive_1024,
                            paths::warp_global_blocks_nonconsecutive_1,
                            paths::warp_global_blocks_nonconsecutive_full};
Guideline testG4(const Profile &P) {
  const Change Threads = change(P, NeedsG4[0], NeedsG4[1]);
  const Change Blocks = change(P, NeedsG4[2], NeedsG4[3]);
  return verdict(
      eitherWay(Threads.Ratio) > NoEffect &&
          eitherWay(Blocks.Ratio) < LargeEffect,
      Threads.Ratio,
      fmt::format("non-consecutive access goes from {} with the threads of a "
                  "block, and from {} with the blocks",
                  Threads.Text, Blocks.Text));
}

constexpr Statement Statements[] = {
    {"G_1",
     "global memory broadcasts and serves different elements in parallel",
     NeedsG1, testG1},
    {"G_2",
     "types of 4 or 8 bytes reach the bandwidth of global memory, so "
     "coalesce char into char4",
     NeedsG2, testG2},
    {"G_3", "global memory has to be accessed consecutively, aligned or not",
     NeedsG3, testG3},
    {"G_4",
     "the latency of non-consecutive access to global memory depends on "
     "the threads of a block, not on the blocks",
     NeedsG4, testG4},
};

} // namespace

std::span<const Statement> guidelines::ofGlobalMemory() { return Statements; }
