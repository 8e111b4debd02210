//===- Limits.h - What conditions say of a value ----------------*- C++ -*-===//
//
// An integer that is not known is not just anything on a path that has passed
// conditions on it: behind `width <= 16` and `width % 4 == 0` it is a small
// multiple of 4, and a later condition that contradicts this has one side only.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_LIMITS_H
#define WARPWISE_ANALYZER_LAUNCH_LIMITS_H

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warpwise::launch {

struct Limits {
  /// As wide as the type of the value.
  llvm::ConstantRange Range;
  /// It is a multiple of this, and of none of those. None of them is 0.
  uint64_t Factor = 1;
  std::vector<uint64_t> NotOf = {};

  explicit Limits(llvm::ConstantRange Range) : Range(std::move(Range)) {}

  /// They say nothing.
  bool areOpen() const {
    return Range.isFullSet() && Factor == 1 && NotOf.empty();
  }
  /// No value has them: nothing comes this way.
  bool areEmpty() const;
  std::optional<bool> isZero() const;
};

/// Null where nothing is known.
using SharedLimits = std::shared_ptr<const Limits>;

/// What both say.
Limits narrow(const Limits &A, const Limits &B);
/// What holds whichever of the two does.
SharedLimits widen(const SharedLimits &A, const SharedLimits &B);

/// The values X for which X \p Compared \p With.
Limits limitsOf(llvm::CmpInst::Predicate Compared, const llvm::APInt &With);
/// Whether \p A \p Compared \p B, both of one width.
std::optional<bool> compare(llvm::CmpInst::Predicate Compared, const Limits &A,
                            const Limits &B);

/// As a type of \p Width bits holds what a signed one held, or not.
Limits convert(const Limits &L, unsigned Width, bool WasSigned, bool IsSigned);
/// The values of a type of \p Width bits that are within \p L when they are
/// converted to the wider type of that.
Limits convertBack(const Limits &L, unsigned Width, bool IsSigned);

/// \p L times, by, modulo \p By, which is positive. Overflow of signed values
/// does not happen.
Limits multiply(const Limits &L, uint64_t By, bool IsSigned);
Limits divide(const Limits &L, uint64_t By, bool IsSigned);
Limits remainder(const Limits &L, uint64_t By, bool IsSigned);
/// \p L and \p More, which may be negative.
Limits add(const Limits &L, int64_t More, bool IsSigned);

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_LIMITS_H
