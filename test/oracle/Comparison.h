//===- Comparison.h - The evaluator against the oracle ----------*- C++ -*-===//

#ifndef WARPWISE_TEST_ORACLE_COMPARISON_H
#define WARPWISE_TEST_ORACLE_COMPARISON_H

#include "RequestCounter.h"

#include "analyzer/evaluate/Evaluator.h"

#include <string>
#include <vector>

namespace warpwise::oracle {

enum class Verdict {
  Agrees,        ///< exact, and the same
  FewerLanes,    ///< exact, the same, and not every lane was on
  WithinBounds,  ///< bounded, and in between
  Estimated,     ///< estimated, and possible without what that assumes
  DataDependent, ///< the evaluator does not claim to know
  NeverReached,  ///< on either side
  NotReached,    ///< by the threads that ran, but by the evaluator's
  NoCounterpart, ///< the raw IR has no such access at the place
  NotCovered,    ///< tensor cores
  OtherCount,    ///< the same for each request, but not as many
  Sampled,       ///< nearly the same, and not every iteration was evaluated
  Truncated,     ///< differs, but the evaluator said that it stopped early
  Differs
};
constexpr unsigned VerdictCount = unsigned(Verdict::Differs) + 1;
const char *nameOf(Verdict V);

struct Outcome {
  uint32_t Site = 0;
  Verdict Found = Verdict::NoCounterpart;
  std::string Text; ///< both sides' numbers
};

/// The views of the accesses in \p Numbers that can stand for each of the
/// sites of \p Code.
std::vector<std::vector<View>> viewsOf(const access::Program &Code,
                                       const Numbering &Numbers);

std::vector<Outcome> compare(const access::Program &Code,
                             const access::LaunchResult &Result,
                             const std::vector<std::vector<View>> &Views,
                             const RequestCounter &Counted);

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_COMPARISON_H
