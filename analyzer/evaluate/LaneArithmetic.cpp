//===- LaneArithmetic.cpp - Integer and float steps on 32 lanes -----------===//

#include "analyzer/evaluate/LaneArithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpwise::access {
namespace {

double toDouble(uint64_t Raw, unsigned Bits) {
  if (Bits == 32)
    return std::bit_cast<float>(uint32_t(Raw));
  return std::bit_cast<double>(Raw);
}

uint64_t fromDouble(double Value, unsigned Bits) {
  if (Bits == 32)
    return std::bit_cast<uint32_t>(float(Value));
  return std::bit_cast<uint64_t>(Value);
}

/// Converts with saturation, as the hardware does; a plain cast would be
/// undefined.
int64_t toSigned(double Value, unsigned Bits) {
  if (std::isnan(Value))
    return 0;
  const double Limit = std::ldexp(1.0, int(Bits) - 1);
  if (Value >= Limit)
    return signExtend(~uint64_t(0) >> (65 - Bits), 64);
  if (Value < -Limit)
    return int64_t(~uint64_t(0) << (Bits - 1));
  return int64_t(Value);
}

uint64_t toUnsigned(double Value, unsigned Bits) {
  if (!(Value > 0))
    return 0;
  if (Value >= std::ldexp(1.0, int(Bits)))
    return truncateTo(~uint64_t(0), Bits);
  return uint64_t(Value);
}

uint64_t highSigned(uint64_t A, uint64_t B, unsigned Bits) {
  const __int128 Product =
      __int128(signExtend(A, Bits)) * __int128(signExtend(B, Bits));
  return uint64_t(Product >> Bits);
}

uint64_t highUnsigned(uint64_t A, uint64_t B, unsigned Bits) {
  return uint64_t((unsigned __int128)A * B >> Bits);
}

/// \p Value, or the end of the range of \p Bits bits that it is beyond.
uint64_t saturate(__int128 Value, unsigned Bits, bool Signed) {
  const __int128 End = __int128(1) << (Bits - Signed);
  return uint64_t(std::clamp<__int128>(Value, Signed ? -End : 0, End - 1));
}

uint64_t reverseBits(uint64_t Value, unsigned Bits) {
  uint64_t R = 0;
  for (unsigned N = 0; N != Bits; ++N)
    R |= (Value >> N & 1) << (Bits - 1 - N);
  return R;
}

uint64_t funnel(uint64_t High, uint64_t Low, uint64_t Amount, unsigned Bits,
                bool Left) {
  const unsigned Shift = unsigned(Amount % Bits);
  if (Shift == 0)
    return Left ? High : Low;
  return Left ? High << Shift | Low >> (Bits - Shift)
              : Low >> Shift | High << (Bits - Shift);
}

/// One lane of a two-operand step. W: width of the operands.
template <Code What> uint64_t binary(uint64_t A, uint64_t B, unsigned W) {
  const int64_t SA = signExtend(A, W), SB = signExtend(B, W);
  switch (What) {
  case Code::Add:
    return A + B;
  case Code::Sub:
    return A - B;
  case Code::Mul:
    return A * B;
  case Code::UDiv:
    return B ? A / B : 0;
  case Code::URem:
    return B ? A % B : 0;
  case Code::SDiv:
    return SB == 0 ? 0 : SB == -1 ? uint64_t(0) - A : uint64_t(SA / SB);
  case Code::SRem:
    return SB == 0 || SB == -1 ? 0 : uint64_t(SA % SB);
  case Code::Shl:
    return B < W ? A << B : 0;
  case Code::LShr:
    return B < W ? A >> B : 0;
  case Code::AShr:
    return uint64_t(SA >> std::min<uint64_t>(B, W - 1));
  case Code::And:
    return A & B;
  case Code::Or:
    return A | B;
  case Code::Xor:
    return A ^ B;
  case Code::MinS:
    return uint64_t(std::min(SA, SB));
  case Code::MaxS:
    return uint64_t(std::max(SA, SB));
  case Code::MinU:
    return std::min(A, B);
  case Code::MaxU:
    return std::max(A, B);
  case Code::MulHighS:
    return highSigned(A, B, W);
  case Code::MulHighU:
    return highUnsigned(A, B, W);
  case Code::AddSaturateS:
    return saturate(__int128(SA) + SB, W, true);
  case Code::AddSaturateU:
    return saturate(__int128(A) + B, W, false);
  case Code::SubSaturateS:
    return saturate(__int128(SA) - SB, W, true);
  case Code::SubSaturateU:
    return saturate(__int128(A) - B, W, false);
  case Code::Equal:
    return A == B;
  case Code::NotEqual:
    return A != B;
  case Code::LessU:
    return A < B;
  case Code::LessEqualU:
    return A <= B;
  case Code::LessS:
    return SA < SB;
  case Code::LessEqualS:
    return SA <= SB;
  default:
    return 0;
  }
}

double floatBinary(Code What, double A, double B) {
  switch (What) {
  case Code::FAdd:
    return A + B;
  case Code::FSub:
    return A - B;
  case Code::FMul:
    return A * B;
  case Code::FDiv:
    return A / B;
  case Code::FMin:
    return std::fmin(A, B);
  default:
    return std::fmax(A, B);
  }
}

bool floatCompare(Code What, double A, double B) {
  switch (What) {
  case Code::FLess:
    return A < B;
  case Code::FLessEqual:
    return A <= B;
  case Code::FEqual:
    return A == B;
  default:
    return A != B;
  }
}

double floatUnary(Code What, double A) {
  switch (What) {
  case Code::FNeg:
    return -A;
  case Code::FFloor:
    return std::floor(A);
  case Code::FCeil:
    return std::ceil(A);
  case Code::FTrunc:
    return std::trunc(A);
  case Code::FRound:
    return std::round(A);
  case Code::FRoundEven:
    return std::nearbyint(A); // in the default mode, which we never change
  case Code::FSqrt:
    return std::sqrt(A);
  case Code::FAbs:
    return std::fabs(A);
  default:
    return A;
  }
}

/// One lane of a one-operand step. W: of the operand, Into: of the result.
uint64_t unary(Code What, uint64_t A, unsigned W, unsigned Into) {
  switch (What) {
  case Code::Abs:
    return signExtend(A, W) < 0 ? uint64_t(0) - A : A;
  case Code::CountLeadingZeros:
    return unsigned(std::countl_zero(A)) - (64 - W);
  case Code::CountTrailingZeros:
    return std::min<unsigned>(W, std::countr_zero(A));
  case Code::CountOnes:
    return unsigned(std::popcount(A));
  case Code::ReverseBits:
    return reverseBits(A, W);
  case Code::SignedToFloat:
    return fromDouble(double(signExtend(A, W)), Into);
  case Code::UnsignedToFloat:
    return fromDouble(double(A), Into);
  case Code::FloatToSigned:
    return uint64_t(toSigned(toDouble(A, W), Into));
  case Code::FloatToUnsigned:
    return toUnsigned(toDouble(A, W), Into);
  case Code::FloatResize:
    return fromDouble(toDouble(A, W), Into);
  default:
    return fromDouble(floatUnary(What, toDouble(A, W)), Into);
  }
}

/// Runs \p Lane for one lane when everything is uniform, else for all.
template <typename Fn>
void forLanes(bool Uniform, unsigned Bits, LaneValue &Result, Fn Lane) {
  Result.Uniform = Uniform;
  const unsigned Count = Uniform ? 1 : 32;
  for (unsigned L = 0; L != Count; ++L)
    Result.Lanes[L] = truncateTo(Lane(L), Bits);
}

/// The same with what the two operands hold. Spelled out by shape, so that the
/// loops vectorise.
template <typename Fn>
void forOperands(const LaneValue &A, const LaneValue &B, unsigned Bits,
                 LaneValue &R, Fn Lane) {
  const uint64_t X = A.Lanes[0], Y = B.Lanes[0];
  if (A.Uniform && B.Uniform)
    return forLanes(true, Bits, R, [&](unsigned) { return Lane(X, Y); });
  if (A.Uniform)
    return forLanes(false, Bits, R,
                    [&](unsigned L) { return Lane(X, B.Lanes[L]); });
  if (B.Uniform)
    return forLanes(false, Bits, R,
                    [&](unsigned L) { return Lane(A.Lanes[L], Y); });
  forLanes(false, Bits, R,
           [&](unsigned L) { return Lane(A.Lanes[L], B.Lanes[L]); });
}

template <Code What>
void runBinary(const Step &S, const LaneValue &A, const LaneValue &B,
               LaneValue &R) {
  const unsigned W = S.SourceBits;
  forOperands(A, B, S.Bits, R,
              [W](uint64_t X, uint64_t Y) { return binary<What>(X, Y, W); });
}

/// A pointer plus an index of \p S.SourceBits bits, times the size of what it
/// points to.
void runAddScaled(const Step &S, const LaneValue &A, const LaneValue &B,
                  LaneValue &R) {
  const unsigned W = S.SourceBits;
  const auto Size = uint64_t(S.Immediate);
  forOperands(A, B, 64, R, [W, Size](uint64_t X, uint64_t Y) {
    return X + uint64_t(signExtend(Y, W)) * Size;
  });
}

void runUnary(const Step &S, const LaneValue &A, LaneValue &R) {
  const unsigned W = S.SourceBits;
  switch (S.What) {
  case Code::Copy: // these are most; their loops vectorise
  case Code::ZeroExtend:
  case Code::Truncate:
    return forLanes(A.Uniform, S.Bits, R,
                    [&](unsigned L) { return A.Lanes[L]; });
  case Code::SignExtend:
    return forLanes(A.Uniform, S.Bits, R, [&](unsigned L) {
      return uint64_t(signExtend(A.Lanes[L], W));
    });
  default:
    forLanes(A.Uniform, S.Bits, R,
             [&](unsigned L) { return unary(S.What, A.Lanes[L], W, S.Bits); });
  }
}

void runIntegerBinary(const Step &S, const LaneValue &A, const LaneValue &B,
                      LaneValue &R) {
  switch (S.What) {
#define CASE(Name)                                                             \
  case Code::Name:                                                             \
    return runBinary<Code::Name>(S, A, B, R)
    CASE(Add);
    CASE(Sub);
    CASE(Mul);
    CASE(UDiv);
    CASE(SDiv);
    CASE(URem);
    CASE(SRem);
    CASE(Shl);
    CASE(LShr);
    CASE(AShr);
    CASE(And);
    CASE(Or);
    CASE(Xor);
    CASE(MinS);
    CASE(MaxS);
    CASE(MinU);
    CASE(MaxU);
    CASE(MulHighS);
    CASE(MulHighU);
    CASE(AddSaturateS);
    CASE(AddSaturateU);
    CASE(SubSaturateS);
    CASE(SubSaturateU);
    CASE(Equal);
    CASE(NotEqual);
    CASE(LessU);
    CASE(LessEqualU);
    CASE(LessS);
    CASE(LessEqualS);
#undef CASE
  default:
    return;
  }
}

/// Lanes in which a known operand decides alone, whatever the other one is.
uint32_t decidedBy(Code What, const LaneValue &A, unsigned Bits) {
  if (What != Code::And && What != Code::Or && What != Code::Mul)
    return 0;
  const uint64_t Absorbing =
      What == Code::Or ? truncateTo(~uint64_t(0), Bits) : 0;
  uint32_t Lanes = 0;
  for (unsigned L = 0; L != 32; ++L)
    Lanes |= uint32_t(A.lane(L) == Absorbing) << L;
  return Lanes & ~A.Unknown;
}

/// Origins of values, and of the distances of lanes that rest on such values.
struct StepOrigin {
  Origin Value, Step;
};
constexpr StepOrigin StepOrigins[] = {{OriginAssumed, OriginAssumedStep},
                                      {OriginRound, OriginRoundStep}};

/// Whether no lane of \p V has any of \p Bits set.
bool haveNone(const LaneValue &V, uint64_t Bits) {
  return std::none_of(V.Lanes.begin(), V.Lanes.end(),
                      [Bits](uint64_t Lane) { return (Lane & Bits) != 0; });
}

/// Whether the differences between the lanes of a result rest on operands with
/// origin \p Value: sums only move the lanes together, and a factor
/// that all lanes share scales them.
bool makesSteps(Code What, const LaneValue &A, const LaneValue *B,
                const LaneValue *C, Origin Value) {
  const auto Matters = [Value](const LaneValue *V) {
    return V && (V->From & Value);
  };
  switch (What) {
  case Code::Add:
  case Code::Sub:
  case Code::AddScaled:
  case Code::Copy:
  case Code::ZeroExtend:
  case Code::SignExtend:
  case Code::Truncate:
    return false;
  case Code::Mul:
    return (Matters(&A) && (A.Uniform || !B->Uniform)) ||
           (Matters(B) && (B->Uniform || !A.Uniform));
  case Code::Shl:
    return Matters(B) || (Matters(&A) && !B->Uniform);
  // What fills up low bits, or drops some that are zero: parts of a sum and of
  // an extension.
  case Code::Or:
    return Matters(B) ||
           (Matters(&A) && (!B->Uniform || !haveNone(A, B->Lanes[0])));
  case Code::LShr:
  case Code::AShr:
    return Matters(B) ||
           (Matters(&A) && (!B->Uniform || B->Lanes[0] >= 64 ||
                            !haveNone(A, (uint64_t(1) << B->Lanes[0]) - 1)));
  default:
    return Matters(&A) || Matters(B) || Matters(C);
  }
}

/// Whether the result of \p What keeps how far lanes lie apart in \p A, which
/// is not known beside that.
bool keepsRows(Code What, const LaneValue &A, const LaneValue *B) {
  switch (What) {
  case Code::Copy:
  case Code::ZeroExtend:
  case Code::SignExtend:
  case Code::Truncate:
    return true;
  case Code::Mul:
  case Code::Shl:
    return B->Uniform || (What == Code::Mul && A.Uniform);
  default:
    return false;
  }
}

bool isSum(Code What) {
  return What == Code::Add || What == Code::Sub || What == Code::AddScaled;
}

/// Whether the lanes of a sum of \p A and \p B, of which one is not known, lie
/// apart by what is known: one that differs between the lanes, or that an
/// earlier sum has left.
bool makesRows(const LaneValue &A, const LaneValue &B) {
  const bool HasRows = (A.From | B.From) & OriginRows;
  return HasRows || (!A.Uniform && !B.Uniform && !(A.Unknown && B.Unknown));
}

/// What is known of \p V beside what is not.
LaneValue rowsOf(const LaneValue &V) {
  LaneValue Rows = V;
  if (V.Unknown == 0 || (V.From & OriginRows))
    return Rows;
  Rows.spread();
  for (unsigned L = 0; L != 32; ++L)
    if (V.Unknown >> L & 1)
      Rows.Lanes[L] = 0;
  return Rows;
}

void runSelect(const LaneValue &A, const LaneValue &B, const LaneValue &C,
               LaneValue &R) {
  if (A.Uniform) {
    R = A.Lanes[0] & 1 ? B : C;
    R.From |= A.From;
    return;
  }
  R.Uniform = false;
  R.Unknown = 0;
  R.From = (A.From | B.From | C.From) & ~OriginRows;
  for (const StepOrigin &O : StepOrigins)
    if (R.From & O.Value)
      R.From |= O.Step;
  for (unsigned L = 0; L != 32; ++L) {
    const LaneValue &Chosen = A.Lanes[L] & 1 ? B : C;
    R.Lanes[L] = Chosen.lane(L);
    const bool Unknown = A.Unknown >> L & 1;
    const bool Same =
        B.lane(L) == C.lane(L) && !((B.Unknown | C.Unknown) >> L & 1);
    const uint32_t IsUnknown = Unknown ? !Same : Chosen.Unknown >> L & 1;
    R.Unknown |= IsUnknown << L;
  }
}

bool isIntegerBinary(Code What) {
  return What >= Code::Add && What <= Code::LessEqualS;
}
bool isIntegerComparison(Code What) {
  return What >= Code::Equal && What <= Code::LessEqualS;
}
bool isFloatBinary(Code What) {
  return What >= Code::FAdd && What <= Code::FMax;
}
bool isUnary(Code What) {
  return What >= Code::Copy && What <= Code::FloatResize;
}

} // namespace

bool isLanewise(Code What) {
  return isIntegerBinary(What) || isFloatBinary(What) || isUnary(What) ||
         What == Code::Select || What == Code::FunnelLeft ||
         What == Code::FunnelRight || What == Code::AddScaled;
}

void evaluate(const Step &S, const LaneValue &A, const LaneValue *B,
              const LaneValue *C, LaneValue &R) {
  if (S.What == Code::Select)
    return runSelect(A, *B, *C, R);
  if (isIntegerComparison(S.What) && ((A.From | B->From) & OriginIfAny)) {
    R = LaneValue::unknown(OriginMemory | A.From | B->From);
    return;
  }
  R.From = A.From | (B ? B->From : 0) | (C ? C->From : 0);
  R.Unknown = A.Unknown | (B ? B->Unknown : 0) | (C ? C->Unknown : 0);
  if (R.Unknown && isSum(S.What) && makesRows(A, *B)) {
    const LaneValue X = rowsOf(A), Y = rowsOf(*B);
    R.From |= OriginRows;
    if (S.What == Code::AddScaled)
      runAddScaled(S, X, Y, R);
    else
      runIntegerBinary(S, X, Y, R);
    return;
  }
  if (!(R.Unknown && keepsRows(S.What, A, B)))
    R.From &= ~OriginRows;
  const bool Uniform = A.Uniform && (!B || B->Uniform) && (!C || C->Uniform);
  for (const StepOrigin &O : StepOrigins)
    if (Uniform)
      R.From &= ~O.Step;
    else if ((R.From & O.Value) && makesSteps(S.What, A, B, C, O.Value))
      R.From |= O.Step;
  if (isIntegerBinary(S.What)) {
    runIntegerBinary(S, A, *B, R);
    if (R.Unknown)
      R.Unknown &=
          ~(decidedBy(S.What, A, S.Bits) | decidedBy(S.What, *B, S.Bits));
  } else if (S.What == Code::AddScaled) {
    runAddScaled(S, A, *B, R);
  } else if (isUnary(S.What)) {
    runUnary(S, A, R);
  } else if (S.What >= Code::FLess && S.What <= Code::FNotEqual) {
    forLanes(Uniform, 1, R, [&](unsigned L) {
      return floatCompare(S.What, toDouble(A.lane(L), S.SourceBits),
                          toDouble(B->lane(L), S.SourceBits));
    });
  } else if (isFloatBinary(S.What)) {
    forLanes(Uniform, S.Bits, R, [&](unsigned L) {
      return fromDouble(floatBinary(S.What, toDouble(A.lane(L), S.Bits),
                                    toDouble(B->lane(L), S.Bits)),
                        S.Bits);
    });
  } else { // a funnel shift
    forLanes(Uniform, S.Bits, R, [&](unsigned L) {
      return funnel(A.lane(L), B->lane(L), C->lane(L), S.Bits,
                    S.What == Code::FunnelLeft);
    });
  }
}

} // namespace warpwise::access
