//===- Search.h - The best of many configurations ---------------*- C++ -*-===//
//
// A bandwidth is a property of the memory only if the kernel is not what
// limits it, so each is the best of a search. The winner is the best median,
// not the luckiest sample: every candidate is run a few times, the best few
// are measured again until they are stable, and the best of those counts.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_SEARCH_H
#define WARPWISE_KERNELS_HARNESS_SEARCH_H

#include "kernels/harness/Session.h"
#include "profiler/inference/Statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace warpwise::harness {

struct Candidate {
  std::string Name;             ///< for the method: "512 threads, 4 loads each"
  std::function<double()> Rate; ///< one run; more is better
};

struct Winner {
  size_t Index = 0; ///< of the candidate
  std::string Name;
  inference::Estimate Rate;
  std::vector<double> Scanned; ///< what each candidate reached in the scan

  std::string method() const {
    return fmt::format("best of {} configurations: {}", Scanned.size(), Name);
  }
};

/// Searches \p All, which must not be empty, with \p Samples runs of each after
/// one to warm up; what is slower than 60 % of the best so far when warming up
/// is left at that. \p Finalists are measured until stable.
inline Winner search(const std::vector<Candidate> &All, unsigned Samples = 2,
                     size_t Finalists = 3) {
  assert(!All.empty() && Samples != 0 && Finalists != 0 && "no winner");
  Winner Best;
  double Most = 0;
  for (const Candidate &Each : All) {
    double Reached = Each.Rate();
    if (Reached >= 0.6 * Most) {
      std::vector<double> Runs(Samples);
      std::generate(Runs.begin(), Runs.end(), Each.Rate);
      Reached = inference::median(Runs);
    }
    Most = std::max(Most, Reached);
    Best.Scanned.push_back(Reached);
  }
  std::vector<size_t> Order(All.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    return Best.Scanned[A] > Best.Scanned[B];
  });
  Order.resize(std::min(Order.size(), Finalists));
  for (size_t Index : Order) {
    All[Index].Rate();
    const inference::Estimate E = inference::untilStable(
        All[Index].Rate, {.Least = 7, .Most = 25, .Relative = 0.003});
    if (E.Value > Best.Rate.Value) {
      Best.Index = Index;
      Best.Name = All[Index].Name;
      Best.Rate = E;
    }
  }
  return Best;
}

/// Keeps what the scan saw as a trace called \p Name.
inline void traceScan(Session &S, const std::string &Name, const Winner &W) {
  std::vector<double> Numbers(W.Scanned.size());
  std::iota(Numbers.begin(), Numbers.end(), 0.0);
  S.trace(Name, {{"configuration", Numbers}, {"bandwidth [GB/s]", W.Scanned}});
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_SEARCH_H
