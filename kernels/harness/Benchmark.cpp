//===- Benchmark.cpp - The list of microbenchmarks ------------------------===//

#include "kernels/harness/Benchmark.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace warpwise::harness {

// Inside of a function, so that it exists before the first registration.
static std::vector<Benchmark> &list() {
  static std::vector<Benchmark> All;
  return All;
}

Registration::Registration(Benchmark B) {
  assert(!B.Name.empty() && B.Run && "a benchmark that cannot be run");
  // The order of static objects across files is open; sorted, it is not.
  auto ByStage = [](const Benchmark &A, const Benchmark &C) {
    return std::tie(A.When, A.Name) < std::tie(C.When, C.Name);
  };
  auto &All = list();
  All.insert(std::upper_bound(All.begin(), All.end(), B, ByStage),
             std::move(B));
}

const std::vector<Benchmark> &benchmarks() { return list(); }

} // namespace warpwise::harness
