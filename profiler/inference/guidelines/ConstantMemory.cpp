//===- ConstantMemory.cpp - Fang's C_1 to C_5 -----------------------------===//
//
// Steps, broadcasting, and the influence of threads and blocks.
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

constexpr Path ConstantBySteps = paths::levels_constant_latency_by_step;
constexpr Path NeedsC1[] = {"curves.levels.constant.latency_by_step"};
Guideline testC1(const Profile &P) {
  auto Points = P.curve(ConstantBySteps)->Points;
  std::sort(Points.begin(), Points.end());
  const auto &[FirstStep, First] = Points.front();
  // Not the last: so few words are left at the longest steps that they fit the
  // cache again.
  const auto &[WorstStep, Worst] = *std::max_element(
      Points.begin(), Points.end(),
      [](const auto &A, const auto &B) { return A[1] < B[1]; });
  if (Points.size() < 2 || First <= 0)
    return notTested(fmt::format("{} has too few points", ConstantBySteps));
  return verdict(Worst > NoEffect * First, Worst / First,
                 fmt::format("a thread takes {:.4g} clk at step {} and {:.4g} "
                             "clk at step {} ({})",
                             First, FirstStep, Worst, WorstStep,
                             ConstantBySteps));
}

constexpr Path NeedsConstant[] = {"warp.constant.broadcast.degree_*",
                                  paths::levels_constant_latency};
Guideline testC2(const Profile &P) {
  return testCapability(P, "constant", Expected::Broadcast);
}
Guideline testC3(const Profile &P) {
  return testCapability(P, "constant", Expected::Serial);
}

constexpr Path NeedsC4[] = {paths::warp_constant_threads_broadcast_32,
                            paths::warp_constant_threads_broadcast_1024};
Guideline testC4(const Profile &P) {
  const Change C = change(P, NeedsC4[0], NeedsC4[1]);
  return verdict(
      eitherWay(C.Ratio) > NoEffect, C.Ratio,
      fmt::format("from 32 to 1024 threads the latency goes from {}", C.Text));
}

constexpr Path NeedsC5[] = {paths::warp_constant_blocks_broadcast_1,
                            paths::warp_constant_blocks_broadcast_full};
Guideline testC5(const Profile &P) {
  const Change C = change(P, NeedsC5[0], NeedsC5[1]);
  return verdict(eitherWay(C.Ratio) < LargeEffect, C.Ratio,
                 fmt::format("from one block to a full GPU the latency goes "
                             "from {}",
                             C.Text));
}

constexpr Statement Statements[] = {
    {"C_1", "store data in constant memory so that it is read consecutively",
     NeedsC1, testC1},
    {"C_2", "constant memory broadcasts", NeedsConstant, testC2},
    {"C_3", "constant memory serves different elements one after the other",
     NeedsConstant, testC3},
    {"C_4", "the threads of a block matter to constant memory", NeedsC4,
     testC4},
    {"C_5", "the number of blocks hardly matters to constant memory", NeedsC5,
     testC5},
};

} // namespace

std::span<const Statement> guidelines::ofConstantMemory() { return Statements; }
