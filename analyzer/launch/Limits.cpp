//===- Limits.cpp - What conditions say of a value ------------------------===//

#include "analyzer/launch/Limits.h"

#include "llvm/IR/Operator.h"

#include <algorithm>
#include <numeric>

using llvm::APInt;
using llvm::CmpInst;
using llvm::ConstantRange;

namespace warpwise::launch {

bool Limits::areEmpty() const {
  // 0 is a multiple of everything, and what Factor divides is of all parts.
  return Range.isEmptySet() || std::ranges::any_of(NotOf, [&](uint64_t N) {
           return Factor % N == 0;
         });
}

std::optional<bool> Limits::isZero() const {
  if (!NotOf.empty() || !Range.contains(APInt::getZero(Range.getBitWidth())))
    return false;
  return Range.isSingleElement() ? std::optional(true) : std::nullopt;
}

Limits narrow(const Limits &A, const Limits &B) {
  Limits Result(A.Range.intersectWith(B.Range));
  const uint64_t Common = std::gcd(A.Factor, B.Factor);
  uint64_t Both = 0;
  const bool IsHuge =
      __builtin_mul_overflow(A.Factor / Common, B.Factor, &Both);
  Result.Factor = IsHuge ? std::max(A.Factor, B.Factor) : Both;
  std::ranges::set_union(A.NotOf, B.NotOf, std::back_inserter(Result.NotOf));
  return Result;
}

SharedLimits widen(const SharedLimits &A, const SharedLimits &B) {
  if (!A || !B || A == B)
    return A == B ? A : nullptr;
  if (A->Range.getBitWidth() != B->Range.getBitWidth())
    return nullptr;
  Limits Result(A->Range.unionWith(B->Range));
  Result.Factor = std::gcd(A->Factor, B->Factor);
  std::ranges::set_intersection(A->NotOf, B->NotOf,
                                std::back_inserter(Result.NotOf));
  return Result.areOpen() ? nullptr : std::make_shared<Limits>(Result);
}

Limits limitsOf(CmpInst::Predicate Compared, const APInt &With) {
  return Limits(ConstantRange::makeExactICmpRegion(Compared, With));
}

std::optional<bool> compare(CmpInst::Predicate Compared, const Limits &A,
                            const Limits &B) {
  if (A.Range.getBitWidth() != B.Range.getBitWidth())
    return std::nullopt;
  if (A.Range.icmp(Compared, B.Range))
    return true;
  if (A.Range.icmp(CmpInst::getInversePredicate(Compared), B.Range))
    return false;
  // Of what is no multiple of 4, or one of 8, and a number.
  const APInt *Number = B.Range.getSingleElement();
  if (CmpInst::isEquality(Compared) && Number && !Number->isNegative()) {
    const uint64_t Of = Number->getLimitedValue();
    const bool Differ =
        Of % A.Factor != 0 ||
        std::ranges::any_of(A.NotOf, [&](uint64_t N) { return Of % N == 0; });
    if (Differ)
      return Compared == CmpInst::ICMP_NE;
  }
  return std::nullopt;
}

Limits convert(const Limits &L, unsigned Width, bool WasSigned, bool IsSigned) {
  const unsigned Old = L.Range.getBitWidth();
  Limits Result(Width == Old  ? L.Range
                : Width < Old ? L.Range.truncate(Width)
                : WasSigned   ? L.Range.signExtend(Width)
                              : L.Range.zeroExtend(Width));
  // Another number is a multiple of other numbers.
  const APInt Most = L.Range.getUnsignedMax();
  const bool IsKept = Width < Old
                          ? Most.getActiveBits() < Width
                          : WasSigned == IsSigned || !Most.isNegative() ||
                                (!WasSigned && Width > Old);
  if (IsKept) {
    Result.Factor = L.Factor;
    Result.NotOf = L.NotOf;
  }
  return Result;
}

Limits convertBack(const Limits &L, unsigned Width, bool IsSigned) {
  const unsigned Wide = L.Range.getBitWidth();
  if (Width >= Wide)
    return Width == Wide ? L : Limits(ConstantRange::getFull(Width));
  const ConstantRange All = ConstantRange::getFull(Width);
  const ConstantRange Reached =
      (IsSigned ? All.signExtend(Wide) : All.zeroExtend(Wide))
          .intersectWith(L.Range);
  Limits Result(Reached.truncate(Width));
  Result.Factor = L.Factor;
  Result.NotOf = L.NotOf;
  return Result;
}

/// A number as wide as \p L, if it has room for it.
static std::optional<APInt> numberLike(const Limits &L, uint64_t Number) {
  const unsigned Width = L.Range.getBitWidth();
  if (Width < 64 && Number >> (Width - 1) != 0)
    return std::nullopt;
  return APInt(Width, Number);
}

static Limits openLike(const Limits &L) {
  return Limits(ConstantRange::getFull(L.Range.getBitWidth()));
}

Limits multiply(const Limits &L, uint64_t By, bool IsSigned) {
  const auto Number = numberLike(L, By);
  Limits Result = openLike(L);
  if (!Number || By == 0)
    return Result;
  if (!IsSigned && L.Range.unsignedMulMayOverflow(ConstantRange(*Number)) !=
                       ConstantRange::OverflowResult::NeverOverflows)
    return Result;
  Result.Range = IsSigned ? L.Range.smul_sat(ConstantRange(*Number))
                          : L.Range.multiply(ConstantRange(*Number));
  if (__builtin_mul_overflow(L.Factor, By, &Result.Factor))
    Result.Factor = By;
  return Result;
}

Limits divide(const Limits &L, uint64_t By, bool IsSigned) {
  const auto Number = numberLike(L, By);
  if (!Number || By == 0)
    return openLike(L);
  Limits Result(IsSigned ? L.Range.sdiv(ConstantRange(*Number))
                         : L.Range.udiv(ConstantRange(*Number)));
  if (L.Factor % By == 0)
    Result.Factor = L.Factor / By;
  return Result;
}

Limits remainder(const Limits &L, uint64_t By, bool IsSigned) {
  const auto Number = numberLike(L, By);
  if (!Number || By == 0)
    return openLike(L);
  const unsigned Width = L.Range.getBitWidth();
  if (L.Factor % By == 0)
    return Limits(ConstantRange(APInt::getZero(Width)));
  Limits Result(IsSigned ? L.Range.srem(ConstantRange(*Number))
                         : L.Range.urem(ConstantRange(*Number)));
  Result.Factor = std::gcd(L.Factor, By);
  // Were it a multiple of By, it would be one of all that divides By.
  if (std::ranges::any_of(L.NotOf, [&](uint64_t N) { return By % N == 0; }))
    Result.NotOf = {By}; // it is not 0, and smaller
  return Result;
}

Limits add(const Limits &L, int64_t More, bool IsSigned) {
  const uint64_t Size = More < 0 ? -uint64_t(More) : uint64_t(More);
  const auto Number = numberLike(L, Size);
  Limits Result = openLike(L);
  if (!Number || Size == 0)
    return Size == 0 ? L : Result;
  const ConstantRange By(More < 0 ? -*Number : *Number);
  Result.Range = IsSigned
                     ? L.Range.addWithNoWrap(
                           By, llvm::OverflowingBinaryOperator::NoSignedWrap)
                     : L.Range.add(By);
  if (IsSigned)
    Result.Factor = std::gcd(L.Factor, Size);
  return Result;
}

} // namespace warpwise::launch
