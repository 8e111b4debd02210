//===- Evidence.cpp - What the tests of statements share ------------------===//

#include "profiler/inference/guidelines/Evidence.h"

#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

using namespace warpwise;
using namespace warpwise::inference;
using namespace warpwise::inference::guidelines;

Guideline guidelines::verdict(bool Holds, std::optional<double> Effect,
                              std::string Evidence) {
  return {Holds ? Verdict::Holds : Verdict::DoesNotHold, Effect,
          std::move(Evidence)};
}

double guidelines::at(const Profile &P, Path Where) {
  return P.value(Where).value_or(0);
}

std::string guidelines::cited(const Profile &P, Path Where) {
  return fmt::format("{:.4g} {} ({})", at(P, Where), P.find(Where)->Unit,
                     Where);
}

Guideline guidelines::notTested(std::string Reason) {
  return {Verdict::NotTested, std::nullopt, std::move(Reason)};
}

Change guidelines::change(const Profile &P, Path From, Path To) {
  return {at(P, To) / at(P, From),
          fmt::format("{} to {}", cited(P, From), cited(P, To))};
}

double guidelines::eitherWay(double Ratio) {
  return std::max(Ratio, 1 / Ratio);
}

std::vector<std::pair<unsigned, double>>
guidelines::byArchitecture(const Profile &P, Path Pattern) {
  const size_t Star = Pattern.find('*');
  const Path Before = Pattern.substr(0, Star), After = Pattern.substr(Star + 1);
  std::vector<std::pair<unsigned, double>> Values;
  for (auto It = P.Quantities.lower_bound(std::string(Before));
       It != P.Quantities.end() && It->first.starts_with(Before); ++It) {
    unsigned Number = 0;
    const char *End = It->first.data() + It->first.size();
    const auto Read =
        std::from_chars(It->first.data() + Before.size(), End, Number);
    const auto Value = It->second.Value;
    if (Value && Read.ec == std::errc() &&
        Path(Read.ptr, End - Read.ptr) == After)
      Values.emplace_back(Number, *Value);
  }
  std::sort(Values.begin(), Values.end());
  return Values;
}

Guideline guidelines::testCapability(const Profile &P, Path Memory,
                                     Expected What) {
  const Capability C = capability(P, Memory).value_or(Capability{});
  std::string Evidence =
      fmt::format("a warp takes {} for 32 elements, {} for one",
                  cited(P, paths::broadcast(Memory, 1)),
                  cited(P, paths::broadcast(Memory, 32)));
  const auto Broadcast = C.Broadcast, Parallel = C.Parallel;
  if (!Broadcast || !Parallel)
    return notTested(Evidence +
                     ", which decides nothing: neither flat and comparable to "
                     "a thread's latency, nor falling or rising");
  const bool Holds = What == Expected::Both        ? *Broadcast && *Parallel
                     : What == Expected::Broadcast ? *Broadcast
                                                   : !*Parallel;
  return verdict(Holds, C.Spread, std::move(Evidence));
}

double guidelines::constraintRatio(const Profile &P, Path Memory,
                                   Path Pattern) {
  return at(P, paths::constraint(Memory, Pattern)) /
         at(P, paths::constraint(Memory, "aligned"));
}

std::string guidelines::citedConstraint(const Profile &P, Path Memory,
                                        Path Pattern) {
  return fmt::format("{} access takes {}", Pattern,
                     cited(P, paths::constraint(Memory, Pattern)));
}

std::string guidelines::citedAligned(const Profile &P, Path Memory) {
  return fmt::format("aligned {}",
                     cited(P, paths::constraint(Memory, "aligned")));
}
