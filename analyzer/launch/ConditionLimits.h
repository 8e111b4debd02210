//===- ConditionLimits.h - What a side of a condition rules out -*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LAUNCH_CONDITIONLIMITS_H
#define WARPWISE_ANALYZER_LAUNCH_CONDITIONLIMITS_H

namespace clang {
class Expr;
}

namespace warpwise::launch {

class HostEvaluator;

/// The path of \p Evaluator is on the side of \p Condition on which it holds,
/// or on which it does not: what that says of flags, and of integers which are
/// compared with constants, or divided by them, is known of their places from
/// here on.
void limitBy(HostEvaluator &Evaluator, const clang::Expr *Condition,
             bool Holds);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_CONDITIONLIMITS_H
