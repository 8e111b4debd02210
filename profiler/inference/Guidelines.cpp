//===- Guidelines.cpp - Fang's 23 statements, tested on a device ----------===//
//
// Joins the lists of the memories, and says what a test lacks before it runs.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/Guidelines.h"

#include "profiler/inference/AccessRules.h"
#include "profiler/inference/guidelines/Evidence.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <vector>

using namespace warpwise;
using namespace warpwise::inference;
using namespace warpwise::inference::guidelines;

namespace {

/// Why there is nothing at \p Need, or "".
std::string missing(const Profile &P, Path Need) {
  constexpr Path CurvePrefix = "curves.";
  if (Need.starts_with(CurvePrefix)) {
    const auto *C = P.curve(Need.substr(CurvePrefix.size()));
    return C && !C->Points.empty() ? "" : fmt::format("{} is missing", Need);
  }
  if (Need.ends_with("degree_*")) {
    Need.remove_suffix(1);
    for (unsigned Degree : BroadcastDegrees)
      if (std::string Why = missing(P, fmt::format("{}{}", Need, Degree));
          !Why.empty())
        return Why;
    return "";
  }
  if (Need.find("sm_*") != Need.npos)
    return byArchitecture(P, Need).empty() ? fmt::format("{} is missing", Need)
                                           : "";
  const auto *Q = P.find(Need);
  if (!Q)
    return fmt::format("{} is missing", Need);
  if (!Q->Value)
    return fmt::format("{} is not measurable: {}", Need, Q->Method);
  // Latencies and bandwidths are divided by one another; counts may be 0, and
  // so may the latency of a register.
  if (*Q->Value <= 0 && Q->Unit != "1" &&
      Need != paths::levels_register_latency)
    return fmt::format("{} is {}", Need, *Q->Value);
  return "";
}

} // namespace

std::span<const Statement> inference::statements() {
  static const std::vector<Statement> All = [] {
    std::vector<Statement> Joined;
    for (auto Part : {ofConstantMemory(), ofGlobalMemory(), ofLocalMemory(),
                      ofSharedMemory(), ofTextureMemory()})
      Joined.insert(Joined.end(), Part.begin(), Part.end());
    return Joined;
  }();
  return All;
}

Guideline inference::testStatement(const Statement &S, const Profile &P) {
  for (Path Need : S.Needs)
    if (std::string Why = missing(P, Need); !Why.empty())
      return notTested(std::move(Why));
  return S.Test(P);
}

void inference::deriveGuidelines(Profile &P) {
  P.Guidelines.clear();
  for (const Statement &S : statements())
    P.Guidelines[std::string(S.Id)] = testStatement(S, P);
  deriveAccessTable(P);
}
