//===- Form.cpp - A value in terms of what nobody knows -------------------===//

#include "analyzer/evaluate/proof/Form.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warpwise::access::proof {

bool makeCanonical(LaneNumbers &Numbers, unsigned Bits, uint32_t Lanes) {
  if (Bits < 64)
    for (int64_t &Each : Numbers)
      Each = canonical(uint64_t(Each), Bits);
  return allZero(Lanes, [&](unsigned L) { return uint64_t(Numbers[L]) >> 63; });
}

Form Form::number(int64_t Value, unsigned Bits) {
  Form F;
  F.Base.fill(canonical(uint64_t(Value), Bits));
  F.Bits = uint8_t(Bits);
  F.Unsigned = F.Base[0] >= 0;
  return F;
}

Form Form::unknown(uint32_t From, unsigned Bits) {
  Form F;
  F.Bits = uint8_t(Bits);
  F.Top = ~0u;
  F.From = From;
  F.Signed = F.Unsigned = false;
  return F;
}

Form Form::of(const LaneValue &Value, unsigned Bits) {
  Form F;
  F.Bits = uint8_t(Bits);
  F.From = Value.From;
  F.Top = Value.Unknown;
  if (Value.Uniform)
    F.Base.fill(int64_t(Value.Lanes[0]));
  else
    std::copy(Value.Lanes.begin(), Value.Lanes.end(), F.Base.begin());
  forEach(F.Top, [&](unsigned L) { F.Base[L] = 0; });
  F.Unsigned = makeCanonical(F.Base, Bits);
  return F;
}

void Form::bound(int64_t Low, int64_t High) {
  assert(Low <= High && Terms.empty());
  if (Top == 0)
    return;
  LowBits = 0;
  Reach = uint64_t(High) - uint64_t(Low);
  if (Reach > MostReach)
    return forget(Top);
  for (unsigned L = 0; L != WarpLanes; ++L)
    if (Top >> L & 1)
      Base[L] = Low;
}

LaneValue Form::toLaneValue() const {
  LaneValue V;
  V.Uniform = false;
  V.Unknown = Top;
  V.From = From & ~OriginPlace; // numbers are the same at every place
  for (unsigned L = 0; L != WarpLanes; ++L)
    V.Lanes[L] = truncateTo(uint64_t(Base[L]), Bits);
  return V;
}

bool isUniform(const Form &F, uint32_t Lanes) {
  return !(F.Top & Lanes) && isUniformIn(F.Base, Lanes) &&
         std::all_of(F.Terms.begin(), F.Terms.end(),
                     [&](const Term &T) { return isUniformTerm(T, Lanes); });
}

bool isNumberIn(const Form &F, uint32_t Lanes) {
  return !(F.Top & Lanes) && !F.Torn &&
         std::all_of(F.Terms.begin(), F.Terms.end(), [&](const Term &T) {
           return allZero(Lanes, [&](unsigned L) { return T.Factor[L]; });
         });
}

static const LaneNumbers *factorsOf(const Form &F, uint32_t Symbol) {
  for (const Term &T : F.Terms)
    if (T.Symbol == Symbol)
      return &T.Factor;
  return nullptr;
}

int64_t factorOf(const Form &F, uint32_t Symbol, unsigned Lane) {
  const LaneNumbers *Factors = factorsOf(F, Symbol);
  return Factors ? (*Factors)[Lane] : 0;
}

static bool hasSameTerms(const Form &A, const Form &B, unsigned Lane) {
  for (const Form *F : {&A, &B})
    for (const Term &T : F->Terms)
      if (factorOf(A, T.Symbol, Lane) != factorOf(B, T.Symbol, Lane))
        return false;
  return true;
}

bool isSame(const Form &A, const Form &B, uint32_t Lanes, uint64_t Moved) {
  if (((A.Top | B.Top) & Lanes) || A.Torn || B.Torn ||
      !allZero(Lanes, [&](unsigned L) {
        return uint64_t(A.Base[L]) ^ (uint64_t(B.Base[L]) - Moved);
      }))
    return false;
  static constexpr LaneNumbers None{};
  for (const Form *F : {&A, &B})
    for (const Term &T : F->Terms) {
      const LaneNumbers *OfA = factorsOf(A, T.Symbol),
                        *OfB = factorsOf(B, T.Symbol);
      const LaneNumbers &Left = OfA ? *OfA : None, &Right = OfB ? *OfB : None;
      if (!allZero(Lanes, [&](unsigned L) { return Left[L] ^ Right[L]; }))
        return false;
    }
  return true;
}

bool mayBeSame(const Form &A, const Form &B, uint32_t Lanes) {
  if (A.Torn || B.Torn)
    return true;
  for (uint32_t Left = Lanes & ~(A.Top | B.Top); Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    if (A.Base[L] != B.Base[L] && hasSameTerms(A, B, L))
      return false;
  }
  return true;
}

} // namespace warpwise::access::proof
