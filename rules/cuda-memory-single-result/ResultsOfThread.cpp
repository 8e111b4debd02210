//===- ResultsOfThread.cpp - How many results a thread has ----------------===//

#include "rules/cuda-memory-single-result/ResultsOfThread.h"

#include "rules/BlockReach.h"

#include <algorithm>
#include <map>
#include <string>

namespace warpwise::rules {

using access::Access;
using access::Cost;
using access::Operation;
using access::Space;

bool haveOneResult(const access::Kernel &K, unsigned Launch) {
  constexpr double Rounding = 1e-3, MostOfThem = 0.5;
  const access::Work &W = K.Works[Launch];
  std::map<std::string, double> Requests, Lanes;
  for (const Access &A : K.Accesses)
    if (const Cost *C = costUnder(A, Launch);
        A.Memory == Space::Global && A.Op == Operation::Store && C) {
      Requests[A.Object] += C->Weight;
      Lanes[A.Object] += C->Weight * C->ActiveLanes;
    }
  return std::all_of(Requests.begin(), Requests.end(),
                     [&](const auto &Each) {
                       return Each.second <= warpsOf(W) * (1 + Rounding);
                     }) &&
         std::any_of(Lanes.begin(), Lanes.end(), [&](const auto &Each) {
           return Each.second >= MostOfThem * W.Blocks * W.BlockThreads;
         });
}

} // namespace warpwise::rules
