//===- Form.cpp - A value in terms of what nobody knows -------------------===//

#include "analyzer/evaluate/proof/Form.h"

#include <bit>
#include <cassert>

namespace warpwise::access::proof {

int64_t canonical(uint64_t Value, unsigned Bits) {
  return Bits == 1 ? int64_t(Value & 1) : signExtend(Value, Bits);
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
  F.Unsigned = true;
  for (unsigned L = 0; L != WarpLanes; ++L) {
    F.Base[L] = F.Top >> L & 1 ? 0 : canonical(Value.lane(L), Bits);
    F.Unsigned &= F.Base[L] >= 0;
  }
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
  if (F.Top & Lanes)
    return false;
  if (Lanes == 0)
    return true;
  const unsigned First = std::countr_zero(Lanes);
  for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    if (F.Base[L] != F.Base[First])
      return false;
    for (const Term &T : F.Terms)
      if (T.Factor[L] != T.Factor[First])
        return false;
  }
  return true;
}

bool isNumberIn(const Form &F, uint32_t Lanes) {
  if ((F.Top & Lanes) || F.Torn)
    return false;
  for (const Term &T : F.Terms)
    for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1)
      if (T.Factor[std::countr_zero(Left)] != 0)
        return false;
  return true;
}

int64_t factorOf(const Form &F, uint32_t Symbol, unsigned Lane) {
  for (const Term &T : F.Terms)
    if (T.Symbol == Symbol)
      return T.Factor[Lane];
  return 0;
}

static bool hasSameTerms(const Form &A, const Form &B, unsigned Lane) {
  for (const Form *F : {&A, &B})
    for (const Term &T : F->Terms)
      if (factorOf(A, T.Symbol, Lane) != factorOf(B, T.Symbol, Lane))
        return false;
  return true;
}

bool isSame(const Form &A, const Form &B, uint32_t Lanes) {
  if (((A.Top | B.Top) & Lanes) || A.Torn || B.Torn)
    return false;
  for (uint32_t Left = Lanes; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    if (A.Base[L] != B.Base[L] || !hasSameTerms(A, B, L))
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
