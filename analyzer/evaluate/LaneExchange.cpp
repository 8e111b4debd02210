//===- LaneExchange.cpp - Shuffles and votes ------------------------------===//

#include "analyzer/evaluate/LaneExchange.h"

#include <bit>

namespace warpwise::access {
namespace {

/// The lane that lane \p L reads in a shuffle, as the PTX manual defines it:
/// \p Clamp holds the segment mask in bits 8..12 and the limit in bits 0..4.
unsigned sourceLane(Code Mode, unsigned L, uint64_t B, uint64_t Clamp) {
  const unsigned Offset = B & 31, Limit = Clamp & 31, Segment = Clamp >> 8 & 31;
  const unsigned Max = (L & Segment) | (Limit & ~Segment);
  const unsigned Min = L & Segment;
  unsigned From = L;
  bool Valid = true;
  switch (Mode) {
  case Code::ShuffleUp:
    From = L - Offset;
    Valid = int(From) >= int(Max);
    break;
  case Code::ShuffleDown:
    From = L + Offset;
    Valid = From <= Max;
    break;
  case Code::ShuffleXor:
    From = L ^ Offset;
    Valid = From <= Max;
    break;
  default:
    From = Min | (Offset & ~Segment);
    Valid = From <= Max;
    break;
  }
  return Valid ? From & 31 : L;
}

/// The OriginApart bits of what the lanes of \p Active take from the lanes
/// \p Sources of \p Value, which is not known: a width's where some group of
/// neighbours does not take from one lane, nor from lanes that have the same.
uint32_t apartAfter(const std::array<unsigned, WarpLanes> &Sources,
                    const LaneValue &Value, uint32_t Active) {
  uint32_t Apart = OriginApart2;
  for (unsigned Width = 2; Width <= WarpLanes; Width *= 2, Apart <<= 1) {
    const bool AreSame = !(Value.From & Apart);
    std::array<std::optional<unsigned>, WarpLanes> First; // by group
    for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
      const unsigned L = unsigned(std::countr_zero(Left));
      const unsigned From = AreSame ? Sources[L] / Width : Sources[L];
      // Wider groups hold this one.
      if (From != First[L / Width].value_or(From))
        return OriginApart & ~(Apart - 1);
      First[L / Width] = From;
    }
  }
  return 0;
}

LaneValue shuffle(const Step &S, const LaneValue &Value, const LaneValue &Lane,
                  const LaneValue &Clamp, uint32_t Active) {
  LaneValue R;
  if (Value.Uniform)
    return Value;
  R.From = Value.From | Lane.From;
  if (((Lane.Unknown | Clamp.Unknown) & Active) != 0)
    return LaneValue::unknown(R.From | OriginExchange | OriginApart);
  R.Uniform = false;
  std::array<unsigned, WarpLanes> Sources{};
  bool SameSource = true;
  unsigned First = WarpLanes;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    const unsigned From = sourceLane(S.What, L, Lane.lane(L), Clamp.lane(L));
    Sources[L] = From;
    R.Lanes[L] = Value.lane(From);
    R.Unknown |= (Value.Unknown >> From & 1) << L;
    if (!(Active >> L & 1))
      continue;
    if (First == WarpLanes)
      First = From;
    SameSource &= From == First;
  }
  if (Value.Unknown)
    R.From = (Value.From & ~OriginApart) | Lane.From | OriginExchange |
             apartAfter(Sources, Value, Active);
  if (SameSource && First != WarpLanes) {
    const bool Unknown = Value.Unknown >> First & 1;
    R = LaneValue::uniform(Value.lane(First), R.From & ~OriginApart);
    R.Unknown = Unknown ? ~0u : 0;
  }
  return R;
}

/// The lanes of \p Active in which \p Predicate is set.
uint32_t ballot(const LaneValue &Predicate, uint32_t Active) {
  uint32_t Lanes = 0;
  for (unsigned L = 0; L != WarpLanes; ++L)
    Lanes |= uint32_t(Predicate.lane(L) & 1) << L;
  return Lanes & Active;
}

} // namespace

LaneValue exchangeLanes(const Step &S, const LaneValue *Value,
                        const LaneValue *Lane, const LaneValue *Clamp,
                        uint32_t Active) {
  static const LaneValue FullClamp = LaneValue::uniform(31);
  if (S.What == Code::ActiveMask)
    return LaneValue::uniform(Active);
  if (S.What == Code::ShuffleIndex || S.What == Code::ShuffleUp ||
      S.What == Code::ShuffleDown || S.What == Code::ShuffleXor)
    return shuffle(S, *Value, *Lane, Clamp ? *Clamp : FullClamp, Active);
  LaneValue R = LaneValue::uniform(0, Value->From);
  if (Value->Unknown & Active || S.What == Code::WarpReduce) {
    // One bit is the same for all lanes whatever it is, and so is a sum of them
    // all, which nobody computes here. The bits of a ballot are as many
    // unknowns, and lanes pick different ones of them; where they are only
    // counted, all are taken to be set, so that places are in a row.
    if (S.What == Code::Ballot)
      return S.Immediate
                 ? LaneValue::uniform(ballot(*Value, Active & ~Value->Unknown) |
                                          (Value->Unknown & Active),
                                      Value->From | OriginAssumed |
                                          OriginLoadedByAll | OriginCounted)
                 : LaneValue::unknown(Value->From | OriginExchange);
    R.From |= OriginExchange;
    R.Unknown = ~0u;
    return R;
  }
  const uint32_t Set = ballot(*Value, Active);
  R.Lanes[0] = S.What == Code::Ballot    ? Set
               : S.What == Code::VoteAny ? Set != 0
                                         : Set == Active;
  return R;
}

} // namespace warpwise::access
