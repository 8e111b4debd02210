//===- ObjectSizes.h - How large what an access goes to is ------*- C++ -*-===//
//
// Arrays of the program have the size that they are declared with, allocations
// the one that the host code gives them. A program whose accesses leave them
// has no meaning, so no request can cost more than all of a small one.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_OBJECTSIZES_H
#define WARPWISE_ANALYZER_EVALUATE_OBJECTSIZES_H

#include "analyzer/evaluate/LaunchPlans.h"
#include "profiler/profile/RequestLaw.h"

#include <cstdint>
#include <optional>

namespace warpwise::access {

struct Site;

namespace proof {
struct LaunchProof;
}

/// What is known of the pointer argument that \p S goes through; null where it
/// goes through none.
const launch::Argument *argumentOf(const LaunchPlan &Plan, const Site &S);

/// Bytes of what \p S goes to, likely.
std::optional<uint64_t> likelyBytes(const Program &Code, const LaunchPlan &Plan,
                                    const Site &S);

/// Bytes of the array or the small allocation that \p S cannot leave.
std::optional<uint64_t> certainBytes(const Program &Code,
                                     const LaunchPlan &Plan, const Site &S);

/// The most that a request of \p S can cost, as a program that leaves what is
/// behind its pointer has no meaning; nothing when that may be of any size.
std::optional<double> mostWithin(const Program &Code, const LaunchPlan &Plan,
                                 const profile::RequestLaw &Law, const Site &S);

/// Narrows \p Proven: no access leaves an allocation whose size is known.
void keepWithinTables(const Program &Code, const LaunchPlan &Plan,
                      const profile::RequestLaw &Law,
                      proof::LaunchProof &Proven);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_OBJECTSIZES_H
