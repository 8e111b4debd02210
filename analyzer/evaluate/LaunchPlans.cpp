//===- LaunchPlans.cpp - Under which launches a kernel is judged ----------===//

#include "analyzer/evaluate/LaunchPlans.h"

#include "profiler/profile/ArchitectureLimits.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warpwise::access {
namespace {

using launch::Dim3;
using launch::ShapeSource;

using profile::MostBlockThreads;

unsigned threadsOf(const Dim3 &B) { return B[0] * B[1] * B[2]; }

/// Threads of a block that nothing is said of.
constexpr unsigned UsualThreads = 256;

/// Shapes that kernels are written for, when nothing says which, as far as they
/// agree with \p Axes and \p Limits, see launch::Launch::BlockAxes and
/// BlockMost. In public code three quarters of all shapes have an x that is a
/// multiple of 32; 16 and 8 are the others.
std::vector<Dim3> usualShapes(const Program &Code, unsigned MaxThreads,
                              Dim3 Axes, const Dim3 &Limits) {
  // Who asks for threadIdx.z has some: that shape comes first.
  static constexpr Dim3 Usual[] = {{8, 8, 4},  {32, 8, 1},  {16, 16, 1},
                                   {8, 32, 1}, {256, 1, 1}, {32, 4, 1},
                                   {8, 8, 1},  {8, 4, 1}};
  if (!Code.UsesTidY && !Code.UsesTidZ)
    for (const size_t Axis : {1, 2})
      Axes[Axis] = std::max(Axes[Axis], 1u);
  // Along the only axis that is open there are as many as usual in all.
  if (std::ranges::count(Axes, 0u) == 1) {
    Dim3 Whole = Axes;
    uint32_t &Open = *std::ranges::find(Whole, 0u);
    const uint32_t Limit = Limits[size_t(&Open - Whole.data())];
    Open = 1;
    const unsigned Threads =
        Limit ? MaxThreads : std::min(MaxThreads, UsualThreads);
    const unsigned Most = std::max(Threads / threadsOf(Whole), 1u);
    Open = Limit              ? std::min(Limit, Most)
           : Most < WarpLanes ? Most
                              : std::bit_floor(Most);
    if (threadsOf(Whole) <= MaxThreads)
      return {Whole};
  }
  std::vector<Dim3> Shapes;
  const size_t Most = Code.UsesTidZ ? 5 : 4;
  for (Dim3 B : Usual) {
    if (B[2] != 1 && (!Code.UsesTidZ || Axes[2]))
      continue;
    for (size_t Axis = 0; Axis != B.size(); ++Axis)
      B[Axis] = Axes[Axis] ? Axes[Axis] : B[Axis];
    if (threadsOf(B) <= MaxThreads && Shapes.size() < Most &&
        !llvm::is_contained(Shapes, B))
      Shapes.push_back(B);
  }
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
                                     const LaunchKnowledge &Said) {
  LaunchKnowledge Known = Said;
  if (!std::ranges::all_of(Known.Launches, &launch::Launch::IsDead))
    std::erase_if(Known.Launches,
                  [](const launch::Launch *L) { return L->IsDead; });
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
    if (Same->Shape.NoMultipleOf != Plan.Shape.NoMultipleOf)
      Same->Shape.NoMultipleOf = 0;
    Same->Shape.GridMost =
        launch::commonAxes(Same->Shape.GridMost, Plan.Shape.GridMost);
    Same->Shape.GridFrom =
        launch::commonFormulas(Same->Shape.GridFrom, Plan.Shape.GridFrom);
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
      Plan.Shape.IsDead = L->IsDead;
      Plan.Shape.NoMultipleOf = L->NoMultipleOf;
      Plan.Shape.GridMost = L->GridMost;
      Plan.Shape.GridFrom = L->GridFrom;
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
  Dim3 Axes = Some ? Some->BlockAxes : Dim3{0, 0, 0};
  Dim3 Limits = Some ? Some->BlockMost : Dim3{0, 0, 0};
  for (const launch::Launch *L : Known.Launches) {
    Axes = launch::commonAxes(Axes, L->BlockAxes);
    Limits = launch::commonAxes(Limits, L->BlockMost);
  }
  for (const Dim3 &B : usualShapes(Code, MaxThreads, Axes, Limits))
    add(planFor(Some, B,
                Known.MaxThreads ? ShapeSource::Bounds : ShapeSource::Assumed));
  assert(!Plans.empty() && "some usual block has as few threads");
  return Plans;
}

} // namespace warpwise::access
