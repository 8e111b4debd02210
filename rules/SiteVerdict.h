//===- SiteVerdict.h - One verdict over all launches of a site --*- C++ -*-===//
//
// An access costs something else under every block shape. A rule says once
// what is wrong with it: for the worst of the launches that are known, or, when
// none is known, only where all the shapes that were tried agree on the number.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_RULES_SITEVERDICT_H
#define WARPWISE_RULES_SITEVERDICT_H

#include "analyzer/model/AccessModel.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace warpwise::rules {

/// Whether the program is known to run the kernel with this very shape. A bound
/// only says that the block is not larger.
bool isKnown(const launch::Shape &S);

/// What a request takes and what it would take at best, in the unit of the
/// rule: sectors, wavefronts, words, requests.
struct Demand {
  double Actual = 0, Ideal = 0;
  /// Bounds of Actual, equal to it when the cost is exact.
  double Low = 0, High = 0;
  /// Actual is an estimate: likely, and said to be that.
  bool IsLikely = false;
  /// In the unit of the cost's interval: what one request takes.
  bool IsOfRequest = false;

  /// What a finding says: the likely number, or what is certain.
  double asserted() const { return IsLikely ? Actual : Low; }

  /// The demand that a cost's Proof makes of its headline number, or nothing
  /// when the number is not known. An estimate without a likely number asserts
  /// nothing.
  static std::optional<Demand> of(const access::Cost &C,
                                  std::optional<double> Likely,
                                  std::optional<double> Ideal);
};

/// Reads the demand off a cost; nothing when the rule cannot judge it.
using Measure = std::function<std::optional<Demand>(const access::Cost &)>;

/// What is worth a warning. Both have to be reached.
struct Threshold {
  double MinWaste = 1; ///< Actual / Ideal
  double MinExtra = 0; ///< Actual - Ideal, in the rule's unit
};

struct SiteVerdict {
  /// The launch that the message speaks of, and its demand.
  const access::Cost *Shown = nullptr;
  Demand Need;
  /// What is asserted is a lower bound: the cost is bounded, or the shapes that
  /// were tried agree on no more.
  bool AtLeast = false;
  /// True when no launch is known, so that all shapes had to agree.
  bool Assumed = false;
  /// Indices into Kernel::Launches by what was found under them.
  std::vector<unsigned> Wasteful, Clean;

  /// The extra units per request that are asserted, and their bounds.
  double extra() const { return Need.asserted() - Need.Ideal; }
  double extraLow() const { return std::max(0.0, Need.Low - Need.Ideal); }
  double extraHigh() const { return Need.High - Need.Ideal; }
};

/// The verdict on \p A, or nothing when it is clean or cannot be judged.
std::optional<SiteVerdict> judge(const access::Kernel &K,
                                 const access::Access &A, const Measure &Read,
                                 const Threshold &Worth);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_SITEVERDICT_H
