//===- LaneArithmeticTest.cpp - Steps against LLVM's own arithmetic -------===//

#include "analyzer/evaluate/LaneArithmetic.h"

#include "llvm/ADT/APInt.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

using namespace llvm;
using namespace warpwise::access;

namespace {

std::mt19937_64 &random() {
  static std::mt19937_64 Engine(11);
  return Engine;
}

/// Numbers of \p Bits bits, often near the ends of their range.
uint64_t drawNumber(unsigned Bits) {
  const uint64_t Any = random()();
  switch (random()() % 6) {
  case 0:
    return truncateTo(Any % 8, Bits);
  case 1:
    return truncateTo(0 - Any % 8, Bits);
  case 2:
    return truncateTo((uint64_t(1) << (Bits - 1)) + Any % 4 - 2, Bits);
  default:
    return truncateTo(Any, Bits);
  }
}

LaneValue drawLanes(unsigned Bits) {
  LaneValue V;
  V.Uniform = random()() % 3 == 0;
  for (uint64_t &Lane : V.Lanes)
    Lane = drawNumber(Bits);
  return V;
}

Step stepOf(Code What, unsigned Bits, unsigned SourceBits) {
  Step S;
  S.What = What;
  S.Bits = uint8_t(Bits);
  S.SourceBits = uint8_t(SourceBits);
  return S;
}

/// What LLVM says, or nothing where its result is undefined.
std::optional<APInt> binary(Code What, const APInt &A, const APInt &B) {
  const unsigned W = A.getBitWidth();
  const bool Divides = What == Code::UDiv || What == Code::SDiv ||
                       What == Code::URem || What == Code::SRem;
  const bool Shifts =
      What == Code::Shl || What == Code::LShr || What == Code::AShr;
  if ((Divides && B.isZero()) || (Shifts && B.uge(W)))
    return std::nullopt;
  auto bit = [](bool Value) { return APInt(1, Value); };
  switch (What) {
  case Code::Add:
    return A + B;
  case Code::Sub:
    return A - B;
  case Code::Mul:
    return A * B;
  case Code::UDiv:
    return A.udiv(B);
  case Code::SDiv:
    return A.sdiv(B);
  case Code::URem:
    return A.urem(B);
  case Code::SRem:
    return A.srem(B);
  case Code::Shl:
    return A.shl(B);
  case Code::LShr:
    return A.lshr(B);
  case Code::AShr:
    return A.ashr(B);
  case Code::And:
    return A & B;
  case Code::Or:
    return A | B;
  case Code::Xor:
    return A ^ B;
  case Code::MinS:
    return APIntOps::smin(A, B);
  case Code::MaxS:
    return APIntOps::smax(A, B);
  case Code::MinU:
    return APIntOps::umin(A, B);
  case Code::MaxU:
    return APIntOps::umax(A, B);
  case Code::MulHighS:
    return (A.sext(2 * W) * B.sext(2 * W)).extractBits(W, W);
  case Code::MulHighU:
    return (A.zext(2 * W) * B.zext(2 * W)).extractBits(W, W);
  case Code::Equal:
    return bit(A == B);
  case Code::NotEqual:
    return bit(A != B);
  case Code::LessU:
    return bit(A.ult(B));
  case Code::LessEqualU:
    return bit(A.ule(B));
  case Code::LessS:
    return bit(A.slt(B));
  case Code::LessEqualS:
    return bit(A.sle(B));
  default:
    return std::nullopt;
  }
}

/// One operand; \p Into: bits of the result.
APInt unary(Code What, const APInt &A, unsigned Into) {
  switch (What) {
  case Code::ZeroExtend:
    return A.zext(Into);
  case Code::SignExtend:
    return A.sext(Into);
  case Code::Truncate:
    return A.trunc(Into);
  case Code::Abs:
    return A.abs();
  case Code::CountLeadingZeros:
    return APInt(Into, A.countl_zero());
  case Code::CountTrailingZeros:
    return APInt(Into, A.countr_zero());
  case Code::CountOnes:
    return APInt(Into, A.popcount());
  case Code::ReverseBits:
    return A.reverseBits();
  default: // Copy
    return A;
  }
}

constexpr unsigned Widths[] = {1, 8, 16, 32, 64};

TEST(LaneArithmeticTest, TwoIntegersLikeAPInt) {
  for (int What = int(Code::Add); What <= int(Code::LessEqualS); ++What)
    for (unsigned Bits : Widths)
      for (unsigned N = 0; N != 60; ++N) {
        const LaneValue A = drawLanes(Bits), B = drawLanes(Bits);
        const bool Compares = What >= int(Code::Equal);
        LaneValue R;
        ASSERT_TRUE(isLanewise(Code(What)));
        evaluate(stepOf(Code(What), Compares ? 1 : Bits, Bits), A, &B, nullptr,
                 R);
        EXPECT_EQ(R.Uniform, A.Uniform && B.Uniform);
        EXPECT_EQ(R.Unknown, 0u);
        for (unsigned L = 0; L != 32; ++L)
          if (const std::optional<APInt> Expected = binary(
                  Code(What), APInt(Bits, A.lane(L)), APInt(Bits, B.lane(L))))
            ASSERT_EQ(R.lane(L), Expected->getZExtValue())
                << "code " << What << " of " << Bits << " bits on " << A.lane(L)
                << " and " << B.lane(L);
      }
}

TEST(LaneArithmeticTest, OneIntegerLikeAPInt) {
  for (Code What :
       {Code::Copy, Code::ZeroExtend, Code::SignExtend, Code::Truncate,
        Code::Abs, Code::CountLeadingZeros, Code::CountTrailingZeros,
        Code::CountOnes, Code::ReverseBits})
    for (unsigned Bits : Widths)
      for (unsigned Other : Widths) {
        const bool Widens =
            What == Code::ZeroExtend || What == Code::SignExtend;
        const unsigned Into = Widens || What == Code::Truncate ? Other : Bits;
        if ((Widens && Into <= Bits) ||
            (What == Code::Truncate && Into >= Bits))
          continue;
        // The count of a single bit's zeros does not fit into a bit.
        if (Bits == 1 && Into == 1 && What != Code::Copy)
          continue;
        for (unsigned N = 0; N != 20; ++N) {
          const LaneValue A = drawLanes(Bits);
          LaneValue R;
          evaluate(stepOf(What, Into, Bits), A, nullptr, nullptr, R);
          for (unsigned L = 0; L != 32; ++L)
            ASSERT_EQ(R.lane(L),
                      unary(What, APInt(Bits, A.lane(L)), Into).getZExtValue())
                << "code " << int(What) << " of " << Bits << " bits on "
                << A.lane(L);
        }
      }
}

TEST(LaneArithmeticTest, FunnelShifts) {
  for (unsigned Bits : {8u, 16u, 32u, 64u})
    for (unsigned N = 0; N != 100; ++N) {
      const LaneValue A = drawLanes(Bits), B = drawLanes(Bits),
                      C = drawLanes(Bits);
      LaneValue Left, Right;
      evaluate(stepOf(Code::FunnelLeft, Bits, Bits), A, &B, &C, Left);
      evaluate(stepOf(Code::FunnelRight, Bits, Bits), A, &B, &C, Right);
      for (unsigned L = 0; L != 32; ++L) {
        const APInt Both =
            APInt(Bits, A.lane(L)).concat(APInt(Bits, B.lane(L)));
        const unsigned By = unsigned(C.lane(L) % Bits);
        ASSERT_EQ(Left.lane(L),
                  Both.shl(By).extractBits(Bits, Bits).getZExtValue());
        ASSERT_EQ(Right.lane(L), Both.lshr(By).trunc(Bits).getZExtValue());
      }
    }
}

TEST(LaneArithmeticTest, AddScaledExtendsTheIndexAndWraps) {
  for (unsigned Bits : {8u, 16u, 32u, 64u})
    for (int64_t Scale : {1, 4, 12, -16, 4096}) {
      const LaneValue A = drawLanes(64), B = drawLanes(Bits);
      Step S = stepOf(Code::AddScaled, 64, Bits);
      S.Immediate = Scale;
      LaneValue R;
      evaluate(S, A, &B, nullptr, R);
      for (unsigned L = 0; L != 32; ++L)
        ASSERT_EQ(R.lane(L),
                  (APInt(64, A.lane(L)) + APInt(Bits, B.lane(L)).sext(64) *
                                              APInt(64, uint64_t(Scale), true))
                      .getZExtValue());
    }
}

TEST(LaneArithmeticTest, SelectTakesEachLaneFromItsSide) {
  LaneValue Condition = drawLanes(1);
  Condition.Uniform = false;
  const LaneValue A = drawLanes(32), B = drawLanes(32);
  LaneValue R;
  evaluate(stepOf(Code::Select, 32, 1), Condition, &A, &B, R);
  for (unsigned L = 0; L != 32; ++L)
    EXPECT_EQ(R.lane(L), Condition.lane(L) & 1 ? A.lane(L) : B.lane(L));
}

//===----------------------------------------------------------------------===//
// Unknown lanes
//===----------------------------------------------------------------------===//

/// Whatever an unknown lane holds, lanes that are called known must come out
/// the same.
TEST(LaneArithmeticTest, KnownLanesDoNotDependOnUnknownOnes) {
  for (int What = int(Code::Add); What <= int(Code::LessEqualS); ++What)
    for (unsigned N = 0; N != 200; ++N) {
      const unsigned Bits = Widths[random()() % 5];
      LaneValue A = drawLanes(Bits), B = drawLanes(Bits);
      A.Uniform = B.Uniform = false;
      A.Unknown = uint32_t(random()());
      B.Unknown = uint32_t(random()() & random()());
      if (N % 2)
        for (unsigned L = 0; L != 32; L += 2)
          A.Lanes[L] = 0; // what absorbs
      const bool Compares = What >= int(Code::Equal);
      const Step S = stepOf(Code(What), Compares ? 1 : Bits, Bits);
      LaneValue First, Second;
      evaluate(S, A, &B, nullptr, First);
      LaneValue OtherA = A, OtherB = B;
      for (unsigned L = 0; L != 32; ++L) {
        if (A.Unknown >> L & 1)
          OtherA.Lanes[L] = drawNumber(Bits);
        if (B.Unknown >> L & 1)
          OtherB.Lanes[L] = drawNumber(Bits);
      }
      evaluate(S, OtherA, &OtherB, nullptr, Second);
      EXPECT_EQ(First.Unknown & ~(A.Unknown | B.Unknown), 0u);
      for (unsigned L = 0; L != 32; ++L)
        if (!(First.Unknown >> L & 1))
          ASSERT_EQ(First.lane(L), Second.lane(L)) << "code " << What;
    }
}

TEST(LaneArithmeticTest, FalseAndUnknownIsFalse) {
  LaneValue Known = LaneValue::uniform(0);
  const LaneValue Unknown = LaneValue::unknown(OriginMemory);
  LaneValue R;
  evaluate(stepOf(Code::And, 1, 1), Known, &Unknown, nullptr, R);
  EXPECT_EQ(R.Unknown, 0u);
  Known = LaneValue::uniform(1);
  evaluate(stepOf(Code::And, 1, 1), Known, &Unknown, nullptr, R);
  EXPECT_EQ(R.Unknown, ~0u);
  EXPECT_TRUE(R.From & OriginMemory);
  evaluate(stepOf(Code::Or, 1, 1), Known, &Unknown, nullptr, R);
  EXPECT_EQ(R.Unknown, 0u);
}

TEST(LaneArithmeticTest, AnUnknownChoiceOfOneNumberIsThatNumber) {
  LaneValue Condition = LaneValue::unknown(OriginMemory);
  LaneValue A = LaneValue::uniform(7), B = LaneValue::uniform(7), R;
  evaluate(stepOf(Code::Select, 32, 1), Condition, &A, &B, R);
  EXPECT_EQ(R.Unknown, 0u);
  EXPECT_EQ(R.lane(5), 7u);
  B = LaneValue::uniform(8);
  evaluate(stepOf(Code::Select, 32, 1), Condition, &A, &B, R);
  EXPECT_EQ(R.Unknown, ~0u);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

uint64_t evaluateOne(Code What, unsigned Bits, unsigned SourceBits, uint64_t A,
                     uint64_t B = 0) {
  const LaneValue X = LaneValue::uniform(A), Y = LaneValue::uniform(B);
  LaneValue R;
  evaluate(stepOf(What, Bits, SourceBits), X, &Y, nullptr, R);
  return R.lane(0);
}

uint64_t raw(float Value) { return std::bit_cast<uint32_t>(Value); }
uint64_t raw(double Value) { return std::bit_cast<uint64_t>(Value); }

TEST(LaneArithmeticTest, FloatsAreComputedInTheirOwnPrecision) {
  EXPECT_EQ(evaluateOne(Code::FAdd, 32, 32, raw(0.1f), raw(0.2f)),
            raw(0.1f + 0.2f));
  EXPECT_EQ(evaluateOne(Code::FMul, 64, 64, raw(0.1), raw(0.2)),
            raw(0.1 * 0.2));
  EXPECT_EQ(evaluateOne(Code::FDiv, 32, 32, raw(1.0f), raw(3.0f)),
            raw(1.0f / 3.0f));
  EXPECT_EQ(evaluateOne(Code::FSqrt, 32, 32, raw(2.0f)), raw(std::sqrt(2.0f)));
  EXPECT_EQ(evaluateOne(Code::FloatResize, 64, 32, raw(0.1f)),
            raw(double(0.1f)));
  EXPECT_EQ(evaluateOne(Code::FLess, 1, 32, raw(1.0f), raw(2.0f)), 1u);
}

TEST(LaneArithmeticTest, ConversionsSaturateAsTheHardwareDoes) {
  EXPECT_EQ(evaluateOne(Code::FloatToSigned, 32, 32, raw(-1.75f)), 0xffffffffu);
  EXPECT_EQ(evaluateOne(Code::FloatToSigned, 32, 32, raw(1e20f)), 0x7fffffffu);
  EXPECT_EQ(evaluateOne(Code::FloatToSigned, 32, 64, raw(-1e20)), 0x80000000u);
  EXPECT_EQ(evaluateOne(Code::FloatToSigned, 64, 64, raw(-1e30)), uint64_t(1)
                                                                      << 63);
  EXPECT_EQ(evaluateOne(Code::FloatToUnsigned, 32, 32, raw(-5.0f)), 0u);
  EXPECT_EQ(evaluateOne(Code::FloatToUnsigned, 32, 32, raw(1e20f)),
            0xffffffffu);
  EXPECT_EQ(evaluateOne(Code::FloatToSigned, 32, 32, raw(std::nanf(""))), 0u);
  EXPECT_EQ(evaluateOne(Code::SignedToFloat, 32, 32, 0xfffffffeu), raw(-2.0f));
  EXPECT_EQ(evaluateOne(Code::UnsignedToFloat, 64, 32, 0xfffffffeu),
            raw(4294967294.0));
}

} // namespace
