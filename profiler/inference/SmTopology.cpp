//===- SmTopology.cpp - Which SMs belong together -------------------------===//

#include "profiler/inference/SmTopology.h"

#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace warpwise::inference {

SmGroups::SmGroups(unsigned SmCount) : Parent(SmCount) {
  std::iota(Parent.begin(), Parent.end(), 0u);
}

unsigned SmGroups::leaderOf(unsigned Sm) {
  while (Parent[Sm] != Sm)
    Sm = Parent[Sm] = Parent[Parent[Sm]];
  return Sm;
}

void SmGroups::join(unsigned A, unsigned B) {
  A = leaderOf(A);
  B = leaderOf(B);
  // The smaller number leads, so that groups are named by their first SM.
  Parent[std::max(A, B)] = std::min(A, B);
}

std::vector<unsigned> SmGroups::numbered() {
  std::map<unsigned, unsigned> Numbers;
  std::vector<unsigned> Of;
  for (unsigned Sm = 0; Sm != Parent.size(); ++Sm)
    Of.push_back(Numbers.emplace(leaderOf(Sm), Numbers.size()).first->second);
  return Of;
}

Gpcs gpcsOf(std::span<const unsigned> GroupOfSm) {
  constexpr unsigned TpcSms = 2;
  Gpcs Result;
  for (unsigned Group : GroupOfSm) {
    if (Group >= Result.Members.size())
      Result.Members.resize(Group + 1);
    ++Result.Members[Group];
  }
  for (unsigned Sms : Result.Members)
    if (Sms > TpcSms)
      ++Result.Count;
    else
      Result.LoneSms += Sms;
  return Result;
}

void ClusterPairs::add(unsigned SmA, unsigned SmB) {
  ++All;
  OnNeighbours += SmA != SmB && SmA / 2 == SmB / 2;
}

Partners partnersOf(std::span<const double> Times) {
  Partners Result;
  Result.Usual = median(Times);
  std::vector<double> Spread;
  for (double T : Times)
    Spread.push_back(std::abs(T - Result.Usual));
  // Partners stand out from the rest by 5 % and by five times its spread.
  constexpr double SigmaOfMedianDeviation = 1.48;
  Result.Limit = Result.Usual +
                 std::max(0.05, 5 * SigmaOfMedianDeviation * median(Spread));
  for (double T : Times) {
    Result.Count += T > Result.Limit;
    Result.Most = std::max(Result.Most, T);
  }
  return Result;
}

} // namespace warpwise::inference
