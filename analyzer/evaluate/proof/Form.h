//===- Form.h - A value in terms of what nobody knows -----------*- C++ -*-===//
//
// The proof engine computes with forms instead of numbers: in each lane a known
// number plus known multiples of symbols. A symbol stands for something that is
// not known (an argument, a block's index, a value that the whole warp loads)
// and has the same value in all lanes. What holds for a form holds for every
// value of its symbols, which no number of samples could show.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_PROOF_FORM_H
#define WARPWISE_ANALYZER_EVALUATE_PROOF_FORM_H

#include "analyzer/evaluate/LaneValue.h"
#include "analyzer/evaluate/proof/Interval.h"
#include "analyzer/model/AccessModel.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace warpwise::access::proof {

using LaneNumbers = std::array<int64_t, WarpLanes>;

/// One multiple of a symbol.
struct Term {
  uint32_t Symbol = 0;
  LaneNumbers Factor{};
};

/// A value of Bits bits in 32 lanes: Base + the sum of Factor * symbol, modulo
/// 2^Bits. Numbers are kept sign-extended, truth values as 0 and 1.
struct Form {
  LaneNumbers Base{};
  std::vector<Term> Terms;
  /// Lanes about which nothing is known, not even relative to each other, but
  /// for their low bits.
  uint32_t Top = 0;
  /// Where that comes from: Origin bits.
  uint32_t From = 0;
  uint8_t Bits = 64;
  /// In the lanes of Top the form holds modulo 2^LowBits: what a lane adds of
  /// its own is a multiple of that, as in "Bin * 128 + threadIdx.x".
  uint8_t LowBits = 0;
  /// What a lane of Top adds of its own lies in 0 to Reach, as in "Bin & 15";
  /// the form holds modulo 2^Bits then. Unbounded: it holds modulo 2^LowBits.
  uint64_t Reach = Unbounded;
  static constexpr uint64_t Unbounded = ~uint64_t(0);
  /// More than this is as good as unbounded, and sums of less do not overflow.
  static constexpr uint64_t MostReach = uint64_t(1) << 40;
  /// How often a narrower sum that may wrap around was widened: each time, the
  /// lanes may be torn apart at one place, by a multiple of 2^32.
  uint8_t Torn = 0;
  /// Where that is: modulo 32, what has been added since to the multiples of
  /// 2^31 at which lanes part. AnyPlace: some number that all lanes share.
  /// AnyLanes: different numbers, so that any lanes may be parted.
  int8_t TornAt = 0;
  static constexpr int8_t AnyPlace = -1, AnyLanes = -2;
  /// The sum is the value's signed (unsigned) reading itself, not only modulo
  /// 2^Bits.
  bool Signed = true, Unsigned = false;

  bool isNumber() const { return Terms.empty() && Torn == 0; }
  /// True when what stands for the lanes of Top means something.
  bool isBounded() const { return Reach != Unbounded; }
  /// From now on nothing is known about \p Lanes.
  void forget(uint32_t Lanes) {
    Top |= Lanes;
    if (Lanes != 0) {
      LowBits = 0;
      Reach = Unbounded;
    }
  }
  /// The lanes of Top, of which nothing else is known, hold numbers from \p Low
  /// to \p High.
  void bound(int64_t Low, int64_t High);

  static Form number(int64_t Value, unsigned Bits);
  static Form unknown(uint32_t From, unsigned Bits);
  static Form of(const LaneValue &Value, unsigned Bits);
  /// As the lane evaluator wants it. Only for forms that are numbers.
  LaneValue toLaneValue() const;
};

template <typename Fn> void forEach(uint32_t Lanes, Fn Do) {
  for (; Lanes != 0; Lanes &= Lanes - 1)
    Do(unsigned(std::countr_zero(Lanes)));
}

template <typename Fn> bool all(uint32_t Lanes, Fn Holds) {
  for (; Lanes != 0; Lanes &= Lanes - 1)
    if (!Holds(unsigned(std::countr_zero(Lanes))))
      return false;
  return true;
}

/// The terms of \p F in which some lane of \p Lanes takes part have factors
/// that \p Divisor divides.
inline bool isDivisible(const Term &T, int64_t Divisor, uint32_t Lanes) {
  return all(Lanes, [&](unsigned L) { return T.Factor[L] % Divisor == 0; });
}

/// True when \p Of(L) is 0 in each lane L of \p Lanes. All lanes is what most
/// requests have, and a loop without exits is a vector's work.
template <typename Fn> bool allZero(uint32_t Lanes, Fn Of) {
  uint64_t Any = 0;
  if (Lanes == ~0u)
    for (unsigned L = 0; L != WarpLanes; ++L)
      Any |= uint64_t(Of(L));
  else
    forEach(Lanes, [&](unsigned L) { Any |= uint64_t(Of(L)); });
  return Any == 0;
}

inline bool isUniformIn(const LaneNumbers &Numbers, uint32_t Lanes) {
  if (Lanes == 0)
    return true;
  const int64_t First = Numbers[std::countr_zero(Lanes)];
  return allZero(Lanes, [&](unsigned L) { return Numbers[L] ^ First; });
}

inline bool isUniformTerm(const Term &T, uint32_t Lanes) {
  return isUniformIn(T.Factor, Lanes);
}

/// The same number and the same multiples in each lane of \p Lanes.
bool isUniform(const Form &F, uint32_t Lanes);
/// True when nothing but numbers is in the lanes \p Lanes.
bool isNumberIn(const Form &F, uint32_t Lanes);
/// Nothing distinguishes the two in the lanes \p Lanes, but that \p B is
/// \p Moved further.
bool isSame(const Form &A, const Form &B, uint32_t Lanes, uint64_t Moved = 0);

/// Of \p Symbol in lane \p Lane.
int64_t factorOf(const Form &F, uint32_t Symbol, unsigned Lane);

/// False when the two differ in some lane of \p Lanes for certain.
bool mayBeSame(const Form &A, const Form &B, uint32_t Lanes);

/// \p Value as a form of \p Bits bits keeps it.
inline int64_t canonical(uint64_t Value, unsigned Bits) {
  return Bits == 1 ? int64_t(Value & 1) : signExtend(Value, Bits);
}
/// The same of each lane; whether none in \p Lanes is negative then.
bool makeCanonical(LaneNumbers &Numbers, unsigned Bits, uint32_t Lanes = ~0u);

} // namespace warpwise::access::proof

#endif // WARPWISE_ANALYZER_EVALUATE_PROOF_FORM_H
