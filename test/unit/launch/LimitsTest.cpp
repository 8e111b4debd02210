//===- LimitsTest.cpp - Limits against all numbers of eight bits ----------===//
//
// Draws limits, and checks what is made of them for every number within: what
// an operation makes of the number is within what it makes of the limits.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/Limits.h"

#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>

using namespace warpwise::launch;
using llvm::APInt;
using llvm::CmpInst;
using llvm::ConstantRange;

namespace {

constexpr unsigned Width = 8;
constexpr unsigned Draws = 3000;

/// The number that \p Bits are.
int numberOf(const APInt &Bits, bool IsSigned) {
  return int(IsSigned ? Bits.getSExtValue() : int64_t(Bits.getZExtValue()));
}

bool allows(const Limits &L, const APInt &Bits, bool IsSigned) {
  const int Number = numberOf(Bits, IsSigned);
  const auto isMultiple = [&](uint64_t Of) {
    return Number % int64_t(Of) == 0;
  };
  return L.Range.contains(Bits) && isMultiple(L.Factor) &&
         std::none_of(L.NotOf.begin(), L.NotOf.end(), isMultiple);
}

class LimitsTest : public testing::TestWithParam<bool> {
protected:
  std::mt19937_64 Random{17};

  unsigned below(unsigned Limit) { return unsigned(Random() % Limit); }
  APInt number() { return APInt(Width, below(256)); }

  Limits draw() {
    const APInt A = number(), B = number();
    Limits L(A == B ? ConstantRange::getFull(Width) : ConstantRange(A, B));
    if (below(2))
      L.Factor = 1 + below(12);
    if (below(3) == 0)
      L.NotOf = {2 + uint64_t(below(9))};
    return L;
  }

  /// Calls \p Do with all that \p L allows.
  void forAll(const Limits &L, auto &&Do) {
    for (unsigned N = 0; N != 256; ++N)
      if (const APInt Bits(Width, N); allows(L, Bits, GetParam()))
        Do(Bits);
  }
};

TEST_P(LimitsTest, EmptyOnesAllowNothing) {
  for (unsigned I = 0; I != Draws; ++I) {
    const Limits L = draw();
    bool IsAny = false, HasZero = false, HasOthers = false;
    forAll(L, [&](const APInt &Bits) {
      IsAny = true;
      (Bits.isZero() ? HasZero : HasOthers) = true;
    });
    if (L.areEmpty())
      EXPECT_FALSE(IsAny);
    if (const auto IsZero = L.isZero())
      EXPECT_FALSE(*IsZero ? HasOthers : HasZero);
  }
}

TEST_P(LimitsTest, ComparisonsHoldForAll) {
  const CmpInst::Predicate All[] = {
      CmpInst::ICMP_EQ, CmpInst::ICMP_NE,
      GetParam() ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT,
      GetParam() ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE};
  unsigned Decided = 0;
  for (unsigned I = 0; I != Draws; ++I) {
    const Limits L = draw();
    const APInt With = number();
    const CmpInst::Predicate Compared = All[below(4)];
    const Limits Number{ConstantRange(With)};
    const std::optional<bool> Its = compare(Compared, L, Number);
    Decided += Its.has_value();
    const Limits Side = limitsOf(Compared, With);
    forAll(L, [&](const APInt &Bits) {
      const bool Holds = llvm::ICmpInst::compare(Bits, With, Compared);
      if (Its)
        EXPECT_EQ(*Its, Holds);
      EXPECT_EQ(Side.Range.contains(Bits), Holds);
      if (Holds)
        EXPECT_TRUE(allows(narrow(L, Side), Bits, GetParam()));
    });
  }
  EXPECT_GT(Decided, Draws / 10);
}

TEST_P(LimitsTest, WhereTwoMeetBothAreAllowed) {
  for (unsigned I = 0; I != Draws; ++I) {
    const auto A = std::make_shared<Limits>(draw()),
               B = std::make_shared<Limits>(draw());
    const SharedLimits Either = widen(A, B);
    for (const auto &L : {A, B})
      forAll(*L, [&](const APInt &Bits) {
        EXPECT_TRUE(!Either || allows(*Either, Bits, GetParam()));
      });
  }
}

TEST_P(LimitsTest, ArithmeticStaysWithin) {
  for (unsigned I = 0; I != Draws; ++I) {
    const Limits L = draw();
    const uint64_t By = 1 + below(100);
    const int64_t More = int64_t(below(200)) - 100;
    const Limits Products = multiply(L, By, GetParam()),
                 Quotients = divide(L, By, GetParam()),
                 Rests = remainder(L, By, GetParam()),
                 Sums = add(L, More, GetParam());
    const auto check = [&](const Limits &Result, int Number, const char *What) {
      const bool Fits = GetParam() ? Number >= -128 && Number <= 127 : true;
      if (Fits) // else the program has no meaning
        EXPECT_TRUE(
            allows(Result, APInt(Width, uint64_t(int64_t(Number))), GetParam()))
            << What << " " << Number << " " << By << " " << More;
    };
    forAll(L, [&](const APInt &Bits) {
      const int Number = numberOf(Bits, GetParam());
      check(Products, Number * int(By), "*");
      check(Quotients, Number / int(By), "/");
      check(Rests, Number % int(By), "%");
      check(Sums, Number + int(More), "+");
    });
  }
}

TEST_P(LimitsTest, ConversionsLeadBack) {
  for (unsigned I = 0; I != Draws; ++I) {
    const Limits L = draw();
    const bool IsSigned = below(2);
    for (const unsigned To : {4U, 8U, 16U}) {
      const Limits There = convert(L, To, GetParam(), IsSigned);
      forAll(L, [&](const APInt &Bits) {
        const APInt Now =
            GetParam() ? Bits.sextOrTrunc(To) : Bits.zextOrTrunc(To);
        EXPECT_TRUE(allows(There, Now, IsSigned)) << To;
      });
    }
    // Back from 16 bits: what converts into the limits is allowed.
    Limits Wide(GetParam() ? L.Range.signExtend(16) : L.Range.zeroExtend(16));
    const Limits Back = convertBack(Wide, Width, GetParam());
    for (unsigned N = 0; N != 256; ++N) {
      const APInt Bits(Width, N);
      if (Wide.Range.contains(GetParam() ? Bits.sext(16) : Bits.zext(16)))
        EXPECT_TRUE(Back.Range.contains(Bits));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Signs, LimitsTest, testing::Bool());

} // namespace
