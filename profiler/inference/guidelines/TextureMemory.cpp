//===- TextureMemory.cpp - Fang's T_1 to T_4 ------------------------------===//
//
// Capabilities, constraints, and the comparison with global memory.
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

constexpr Path NeedsT1[] = {"warp.texture.broadcast.degree_*",
                            paths::levels_texture_latency};
Guideline testT1(const Profile &P) {
  return testCapability(P, "texture", Expected::Both);
}

constexpr Path NeedsT2[] = {paths::warp_texture_constraint_aligned,
                            paths::warp_texture_constraint_misaligned};
Guideline testT2(const Profile &P) {
  const double Effect = constraintRatio(P, "texture", "misaligned");
  return verdict(Effect < LargeEffect, Effect,
                 fmt::format("{}, {}",
                             citedConstraint(P, "texture", "misaligned"),
                             citedAligned(P, "texture")));
}

constexpr Path NeedsT3[] = {paths::warp_texture_constraint_aligned,
                            paths::warp_texture_constraint_nonconsecutive};
Guideline testT3(const Profile &P) {
  const double Effect = constraintRatio(P, "texture", "nonconsecutive");
  std::string Evidence =
      fmt::format("{}, {}", citedConstraint(P, "texture", "nonconsecutive"),
                  citedAligned(P, "texture"));
  constexpr std::pair<Path, Path> Ranges[] = {
      {paths::warp_texture_threads_aligned_32,
       paths::warp_texture_threads_aligned_1024},
      {paths::warp_texture_blocks_aligned_1,
       paths::warp_texture_blocks_aligned_full}};
  for (const auto &[Few, Many] : Ranges)
    if (P.value(Few) && P.value(Many)) {
      const Change C = change(P, Few, Many);
      Evidence +=
          fmt::format("; aligned access {} from {}",
                      eitherWay(C.Ratio) < LargeEffect ? "hardly changes"
                                                       : "is not invariant",
                      C.Text);
    }
  return verdict(Effect > NoEffect, Effect, std::move(Evidence));
}

constexpr Path NeedsT4[] = {paths::warp_texture_constraint_nonconsecutive,
                            paths::warp_global_constraint_nonconsecutive};
Guideline testT4(const Profile &P) {
  constexpr Path Texture = paths::warp_texture_blocks_nonconsecutive_full;
  constexpr Path Global = paths::warp_global_blocks_nonconsecutive_full;
  double Effect = at(P, NeedsT4[1]) / at(P, NeedsT4[0]);
  std::string Evidence =
      fmt::format("non-consecutive access takes {} through texture, {} through "
                  "global memory",
                  cited(P, NeedsT4[0]), cited(P, NeedsT4[1]));
  // The advice has to pay on a busy GPU, too.
  if (P.value(Texture) && P.value(Global)) {
    Effect = std::min(Effect, at(P, Global) / at(P, Texture));
    Evidence += fmt::format("; on a full GPU {} and {}", cited(P, Texture),
                            cited(P, Global));
  }
  return verdict(Effect > NoEffect, Effect, std::move(Evidence));
}

constexpr Statement Statements[] = {
    {"T_1",
     "texture memory broadcasts and serves different elements in "
     "parallel",
     NeedsT1, testT1},
    {"T_2", "access to texture memory need not be aligned", NeedsT2, testT2},
    {"T_3", "consecutive access is faster in texture memory", NeedsT3, testT3},
    {"T_4",
     "non-consecutive access is faster through texture than global "
     "memory",
     NeedsT4, testT4},
};

} // namespace

std::span<const Statement> guidelines::ofTextureMemory() { return Statements; }
