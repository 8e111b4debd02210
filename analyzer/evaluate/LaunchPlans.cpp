//===- LaunchPlans.cpp - Under which launches a kernel is judged ----------===//

#include "analyzer/evaluate/LaunchPlans.h"

#include "profiler/profile/ArchitectureLimits.h"

#include <algorithm>
#include <cassert>

namespace warpwise::access {
namespace {

using launch::Dim3;
using launch::ShapeSource;

using profile::MostBlockThreads;

unsigned threadsOf(const Dim3 &B) { return B[0] * B[1] * B[2]; }

/// Shapes that kernels are written for, when nothing says which. In public code
/// three quarters of all shapes have an x that is a multiple of 32; 16 and 8
/// are the others.
std::vector<Dim3> usualShapes(const Program &Code, unsigned MaxThreads,
                              bool IsRow) {
  static constexpr Dim3 Flat[] = {
      {256, 1, 1}, {128, 1, 1}, {64, 1, 1}, {32, 1, 1}};
  static constexpr Dim3 Plane[] = {{32, 8, 1},  {16, 16, 1}, {8, 32, 1},
                                   {256, 1, 1}, {8, 8, 4},   {32, 4, 1},
                                   {8, 8, 1},   {8, 4, 1}};
  std::vector<Dim3> Shapes;
  if ((!Code.UsesTidY && !Code.UsesTidZ) || IsRow) {
    for (const Dim3 &B : Flat)
      if (threadsOf(B) <= MaxThreads)
        return {B};
    return {{MaxThreads, 1, 1}};
  }
  const size_t Most = Code.UsesTidZ ? 5 : 4;
  for (const Dim3 &B : Plane)
    if (threadsOf(B) <= MaxThreads && Shapes.size() < Most &&
        (B[2] == 1 || Code.UsesTidZ))
      Shapes.push_back(B);
  if (Shapes.empty())
    Shapes.push_back({MaxThreads, 1, 1});
  return Shapes;
}

bool isValid(const Dim3 &B) {
  return B[0] > 0 && B[1] > 0 && B[2] > 0 && B[0] <= MostBlockThreads &&
         B[1] <= MostBlockThreads && B[2] <= MostBlockThreads &&
         threadsOf(B) <= MostBlockThreads;
}

/// As many blocks of another shape as it takes for no fewer threads along each
/// axis.
Dim3 coveringGrid(const Dim3 &Grid, const Dim3 &Was, const Dim3 &Is) {
  Dim3 Result;
  for (size_t Axis = 0; Axis != Result.size(); ++Axis)
    Result[Axis] =
        uint32_t((uint64_t(Grid[Axis]) * Was[Axis] + Is[Axis] - 1) / Is[Axis]);
  return Result;
}

/// What no GPU has to give: such a launch fails.
bool isTooMuchShared(uint64_t Bytes) {
  const auto All = profile::architectures();
  return std::none_of(All.begin(), All.end(),
                      [&](const profile::ArchitectureLimits &L) {
                        return Bytes <= L.BlockSharedBytes;
                      });
}

bool isSame(const LaunchPlan &A, const LaunchPlan &B) {
  return A.Shape.Block == B.Shape.Block && A.Shape.Grid == B.Shape.Grid &&
         A.Shape.DynamicSharedBytes == B.Shape.DynamicSharedBytes &&
         A.Arguments == B.Arguments;
}

} // namespace

std::vector<LaunchPlan> planLaunches(const Program &Code,
                                     const LaunchKnowledge &Known) {
  std::vector<LaunchPlan> Plans;
  auto Matters = [&](size_t Number) {
    return std::any_of(
        Code.Presets.begin(), Code.Presets.end(), [&](const Preset &P) {
          return P.What == Preset::Kind::Argument && P.Number == Number;
        });
  };
  auto add = [&](LaunchPlan Plan) {
    const auto Same =
        std::find_if(Plans.begin(), Plans.end(),
                     [&](const LaunchPlan &P) { return isSame(P, Plan); });
    if (Same == Plans.end()) {
      Plans.push_back(std::move(Plan));
      return;
    }
    // Both alternatives lead here.
    if (Same->Shape.When != Plan.Shape.When)
      Same->Shape.When.clear();
    Same->Shape.IsSpecial &= Plan.Shape.IsSpecial;
  };
  auto planFor = [&](const launch::Launch *L, const Dim3 &Block,
                     ShapeSource Source) {
    LaunchPlan Plan;
    Plan.Shape.Block = Block;
    Plan.Shape.Source = Source;
    if (L) {
      Plan.Shape.Grid = L->Grid;
      if (Plan.Shape.Grid && threadsOf(*Plan.Shape.Grid) == 0)
        Plan.Shape.Grid.reset();
      if (L->DynamicSharedBytes && !isTooMuchShared(*L->DynamicSharedBytes))
        Plan.Shape.DynamicSharedBytes = *L->DynamicSharedBytes;
      Plan.Shape.At = L->At;
      Plan.Shape.When = L->When;
      Plan.Shape.IsSpecial = L->IsSpecial;
      Plan.Arguments = L->Arguments;
      // What no address depends on does not make a launch another one.
      for (size_t N = 0; N != Plan.Arguments.size(); ++N)
        if (!Matters(N))
          Plan.Arguments[N] = launch::Argument();
    }
    return Plan;
  };

  if (Known.Override) {
    if (Known.Launches.empty())
      add(planFor(nullptr, *Known.Override, ShapeSource::Option));
    for (const launch::Launch *L : Known.Launches) {
      LaunchPlan Plan = planFor(L, *Known.Override, ShapeSource::Option);
      if (L->Block && isValid(*L->Block) && Plan.Shape.Grid)
        Plan.Shape.Grid =
            coveringGrid(*Plan.Shape.Grid, *L->Block, *Known.Override);
      add(std::move(Plan));
    }
    return Plans;
  }
  for (const launch::Launch *L : Known.Launches)
    if (L->Block && isValid(*L->Block))
      add(planFor(L, *L->Block, ShapeSource::Launch));
  if (!Plans.empty())
    return Plans;

  const unsigned MaxThreads = std::clamp(
      Known.MaxThreads.value_or(MostBlockThreads), 1u, MostBlockThreads);
  const launch::Launch *Some =
      Known.Launches.empty() ? nullptr : Known.Launches.front();
  const bool IsRow =
      Some &&
      std::all_of(Known.Launches.begin(), Known.Launches.end(),
                  [](const launch::Launch *L) { return L->BlockIsRow; });
  for (const Dim3 &B : usualShapes(Code, MaxThreads, IsRow))
    add(planFor(Some, B,
                Known.MaxThreads ? ShapeSource::Bounds : ShapeSource::Assumed));
  assert(!Plans.empty() && "some usual block has as few threads");
  return Plans;
}

} // namespace warpwise::access
