//===- LocalMemory.cpp - Fang's L_1 to L_4 --------------------------------===//
//
// Arrays that stay in registers, by what the compiler makes of them and by what
// it costs if they do not.
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

// Elements of the largest array in registers, for the profile's device.
constexpr Path VectorAddition = paths::local_arrays_vector_addition;
constexpr Path MatrixMultiplication = paths::local_arrays_matrix_multiplication;
constexpr Path Sorting = paths::local_arrays_sorting;
constexpr Path VectorAdditions =
    "local_arrays.by_architecture.sm_*.vector_addition";
constexpr Path LocalLatency = paths::levels_local_latency;
constexpr Path RegisterLatency = paths::levels_register_latency;

/// What an access to local memory costs against one to a register, which comes
/// with the instruction.
double localOverRegister(const Profile &P) {
  return at(P, LocalLatency) / std::max(1.0, at(P, RegisterLatency));
}

std::string citedElements(const Profile &P, Path Where) {
  return fmt::format("{:.4g} elements ({})", at(P, Where), Where);
}

std::string citedLocal(const Profile &P) {
  return fmt::format("{} instead of {}", cited(P, LocalLatency),
                     cited(P, RegisterLatency));
}

constexpr Path NeedsL1[] = {VectorAddition, LocalLatency, RegisterLatency};
Guideline testL1(const Profile &P) {
  const double Effect = localOverRegister(P);
  return verdict(
      at(P, VectorAddition) >= 1 && Effect > NoEffect, Effect,
      fmt::format("a vector addition keeps up to {} in registers; local memory "
                  "takes {}",
                  citedElements(P, VectorAddition), citedLocal(P)));
}

constexpr Path NeedsL2[] = {VectorAddition, MatrixMultiplication, LocalLatency,
                            RegisterLatency};
Guideline testL2(const Profile &P) {
  const double Simple = at(P, VectorAddition);
  const double Complex = at(P, MatrixMultiplication);
  return verdict(
      Simple > NoEffect * Complex && localOverRegister(P) > NoEffect,
      Simple > 0 && Complex > 0 ? std::optional(Simple / Complex)
                                : std::nullopt,
      fmt::format(
          "one loop keeps up to {} in registers, three nested loops {}; "
          "local memory takes {}",
          citedElements(P, VectorAddition),
          citedElements(P, MatrixMultiplication), citedLocal(P)));
}

constexpr Path NeedsL3[] = {Sorting, LocalLatency, RegisterLatency};
Guideline testL3(const Profile &P) {
  const double Effect = localOverRegister(P);
  const bool Stays = at(P, Sorting) >= SmallestSort;
  return verdict(!Stays && Effect > NoEffect,
                 Stays ? std::nullopt : std::optional(Effect),
                 fmt::format("a sort keeps up to {} in registers{}; local "
                             "memory takes {}",
                             citedElements(P, Sorting),
                             Stays ? ", enough for a median of 3 x 3" : "",
                             citedLocal(P)));
}

constexpr Path NeedsL4[] = {VectorAdditions};
Guideline testL4(const Profile &P) {
  const auto Arrays = byArchitecture(P, VectorAdditions);
  if (Arrays.size() < 2)
    return notTested(
        fmt::format("{} is there for one architecture only", VectorAdditions));
  const auto [Old, Then] = Arrays.front();
  const auto [New, Now] = Arrays.back();
  return verdict(Now > NoEffect * Then,
                 Then > 0 && Now > 0 ? std::optional(Now / Then) : std::nullopt,
                 fmt::format("a vector addition keeps up to {:.4g} elements in "
                             "registers for sm_{}, {:.4g} for sm_{} "
                             "({})",
                             Then, Old, Now, New, VectorAdditions));
}

constexpr Statement Statements[] = {
    {"L_1", "a small array of a simple pattern stays in registers", NeedsL1,
     testL1},
    {"L_2", "simpler code keeps a larger array in registers", NeedsL2, testL2},
    {"L_3",
     "a sorted array does not stay in registers, so use a simpler "
     "operation",
     NeedsL3, testL3},
    {"L_4", "a newer architecture keeps a larger array in registers", NeedsL4,
     testL4},
};

} // namespace

std::span<const Statement> guidelines::ofLocalMemory() { return Statements; }
