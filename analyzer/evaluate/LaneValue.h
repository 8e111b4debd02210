//===- LaneValue.h - One value in all 32 lanes of a warp --------*- C++ -*-===//
//
// The lane evaluator computes with concrete numbers, one for each lane, and
// remembers beside them what they rest on. Concrete numbers need no algebra: a
// third of all shared-memory indices are not affine.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LANEVALUE_H
#define WARPWISE_ANALYZER_EVALUATE_LANEVALUE_H

#include <array>
#include <cstdint>

namespace warpwise::access {

/// What a value rests on besides the launch: a set of these bits.
enum Origin : uint32_t {
  /// A number that was made up for something uniform but unknown: an argument,
  /// a value that the whole warp loads from one address. And what a variable
  /// holds after a branch that memory decides, where all ways seem to lead to
  /// the same.
  OriginAssumed = 1 << 0,
  OriginMemory = 1 << 1,    ///< loaded, a different address in each lane
  OriginExchange = 1 << 2,  ///< shuffles and votes over unknown values
  OriginAtomic = 1 << 3,    ///< the result of an atomic operation
  OriginCall = 1 << 4,      ///< a function without a body
  OriginFloat = 1 << 5,     ///< floating-point arithmetic not carried out
  OriginAssembly = 1 << 6,  ///< inline assembly
  OriginPrivate = 1 << 7,   ///< a private array with unknown contents
  OriginTruncated = 1 << 8, ///< a loop was left before its end
  OriginUndefined = 1 << 9, ///< never assigned on the way that was taken
  /// Assumed, in place of a value that the whole warp loads from one address,
  /// or that one lane has from memory and hands to the others.
  OriginLoadedByAll = 1 << 10,
  /// Assumed: where a pointer argument points within its allocation, or whether
  /// it is null.
  OriginPointer = 1 << 11,
  /// How far lanes lie apart rests on something assumed, not only where all of
  /// them start.
  OriginAssumedStep = 1 << 12,
  /// What a loop carries from round to round, and distances of lanes that rest
  /// on that: those of a tree, say.
  OriginRound = 1 << 13,
  OriginRoundStep = 1 << 14,
  /// Not known, and neighbouring lanes in twos (fours, eights, sixteens, all of
  /// them) need not have the same: index[lane / 4] is apart in eights.
  OriginApart2 = 1 << 15,
  OriginApart4 = 1 << 16,
  OriginApart8 = 1 << 17,
  OriginApart16 = 1 << 18,
  OriginApart32 = 1 << 19,
  /// Loaded from a different address in each lane, known or not.
  OriginIndexed = 1 << 20,
  /// Only in proofs, where the numbers of block and warp are symbols: it hangs
  /// on which block (warp) it is, so that for one of them more may be known.
  OriginBlock = 1 << 21,
  OriginWarp = 1 << 22,
  OriginPlace = OriginBlock | OriginWarp,
  /// Assumed: memory holds what the host code has copied there.
  OriginCopied = 1 << 23,
  /// Not known, but for what has been added to it: Lanes holds that alone, and
  /// lanes lie apart by it. Of "i * Pitch + Index[i]" it is "i * Pitch".
  OriginRows = 1 << 24,
  /// Computed from numbers that a counter handed out, or votes that were
  /// counted, which are in a row.
  OriginCounted = 1 << 25,
  /// Holds what a lane has if it takes part; another may have none, and which
  /// do is as good as loaded from memory.
  OriginIfAny = 1 << 26,
  OriginApart = OriginApart2 | OriginApart4 | OriginApart8 | OriginApart16 |
                OriginApart32,
};

struct LaneValue {
  /// Zero-extended to 64 bits. When Uniform, only lane 0 is valid.
  std::array<uint64_t, 32> Lanes;
  /// Lanes whose number is arbitrary.
  uint32_t Unknown = 0;
  uint32_t From = 0;
  /// Every lane holds Lanes[0], and it is known.
  bool Uniform = true;

  LaneValue() = default;
  LaneValue(const LaneValue &Other) { *this = Other; }
  /// Most values are uniform, and 31 lanes of these need no copy.
  LaneValue &operator=(const LaneValue &Other) {
    if (Other.Uniform)
      Lanes[0] = Other.Lanes[0];
    else
      Lanes = Other.Lanes;
    Unknown = Other.Unknown;
    From = Other.From;
    Uniform = Other.Uniform;
    return *this;
  }

  uint64_t lane(unsigned L) const { return Lanes[Uniform ? 0 : L]; }

  static LaneValue uniform(uint64_t Value, uint32_t From = 0) {
    LaneValue R;
    R.Lanes[0] = Value;
    R.From = From;
    return R;
  }

  /// All lanes unknown, each by itself. Their numbers differ, so that nothing
  /// takes them for the same address.
  static LaneValue unknown(uint32_t From) {
    LaneValue R;
    for (unsigned L = 0; L != 32; ++L)
      R.Lanes[L] = L;
    R.Unknown = ~0u;
    R.From = (From & ~OriginRows) | OriginApart;
    R.Uniform = false;
    return R;
  }

  /// Writes the lanes out, so that they can be changed one by one.
  void spread() {
    if (Uniform)
      Lanes.fill(Lanes[0]);
    Uniform = false;
  }
};

/// The \p Bits low bits of \p Value.
inline uint64_t truncateTo(uint64_t Value, unsigned Bits) {
  return Bits >= 64 ? Value : Value & ((uint64_t(1) << Bits) - 1);
}

/// \p Value, whose width is \p Bits, as a signed number.
inline int64_t signExtend(uint64_t Value, unsigned Bits) {
  if (Bits >= 64)
    return int64_t(Value);
  // Without a shift of signed numbers, which vector units lack for 64 bits.
  const uint64_t Sign = uint64_t(1) << (Bits - 1);
  return int64_t(((Value & (2 * Sign - 1)) ^ Sign) - Sign);
}

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LANEVALUE_H
