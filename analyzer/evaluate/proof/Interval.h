//===- Interval.h - The numbers that something can be -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_INTERVAL_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_INTERVAL_H

#include <algorithm>

namespace warpwise::access::proof {

using Wide = __int128;

/// The values that something can have, both ends included.
struct Interval {
  Wide Low = 0, High = 0;
};

/// Beyond this, an interval has no end. Products of a symbol of 64 bits and a
/// factor stay below it.
constexpr Wide Endless = Wide(1) << 100;
constexpr Interval Anything{-Endless, Endless};

constexpr Wide power(unsigned Bits) { return Wide(1) << Bits; }

/// The signed numbers of \p Bits bits; truth values are 0 and 1.
constexpr Interval signedRange(unsigned Bits) {
  if (Bits == 1)
    return {0, 1};
  return {-power(Bits - 1), power(Bits - 1) - 1};
}

constexpr Wide clampWide(Wide V) { return std::clamp(V, -Endless, Endless); }

constexpr Interval times(Interval I, Wide Factor) {
  if (I.Low <= -Endless || I.High >= Endless)
    return Factor == 0 ? Interval{0, 0} : Anything;
  const Wide A = I.Low * Factor, B = I.High * Factor;
  return {clampWide(std::min(A, B)), clampWide(std::max(A, B))};
}

constexpr Interval plus(Interval A, Interval B) {
  return {clampWide(A.Low + B.Low), clampWide(A.High + B.High)};
}

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_INTERVAL_H
