//===- ProofTest.cpp - Forms, contexts and bounds of requests -------------===//

#include "analyzer/evaluate/proof/Proof.h"
#include "analyzer/evaluate/proof/Algebra.h"
#include "analyzer/evaluate/proof/Contexts.h"
#include "analyzer/evaluate/proof/RequestBounds.h"
#include "test/unit/evaluate/KernelText.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::access;
using namespace warpwise::access::proof;

namespace {

constexpr uint32_t All = ~0u;

Form lanes(unsigned Bits, int64_t Step = 1) {
  Form F = Form::number(0, Bits);
  F.Unsigned = true;
  for (unsigned L = 0; L != WarpLanes; ++L)
    F.Base[L] = Step * L;
  return F;
}

Site siteOf(Space Memory, unsigned Bytes) {
  Site S;
  S.Memory = Memory;
  S.Bytes = Bytes;
  return S;
}

class AlgebraTest : public testing::Test {
protected:
  Algebra Forms;

  Form apply(Code What, const Form &A, const Form &B, unsigned Bits = 32) {
    Step S{What};
    S.Bits = What >= Code::Equal && What <= Code::LessEqualS ? 1 : Bits;
    S.SourceBits = uint8_t(Bits);
    return Forms.apply(S, A, &B, nullptr, All);
  }
  Form row(int64_t Factor, Interval Of = {0, 1000}) {
    return Forms.add(lanes(32),
                     Forms.scale(Forms.fresh(Of, 32, 0), Factor, 32, true), 32,
                     true, true, false);
  }
  /// 4 * \p Index as an address of 64 bits.
  Form address(const Form &Index) {
    Step S{Code::AddScaled};
    S.SourceBits = 32;
    S.Immediate = 4;
    return Forms.apply(S, Form::number(0, 64), &Index, nullptr, All);
  }
  RequestBounds sectors(const Form &Index) {
    return boundsOf(siteOf(Space::Global, 4), {}, address(Index), All, All);
  }
};

TEST_F(AlgebraTest, BitsBelowAllSymbolsAreNumbers) {
  const Form Low = apply(Code::And, row(32), Form::number(31, 32));
  EXPECT_TRUE(isSame(Low, lanes(32), All));
  const Form Warp = apply(Code::LShr, row(32), Form::number(5, 32));
  EXPECT_TRUE(isUniform(Warp, All));
  EXPECT_FALSE(Warp.isNumber());
}

TEST_F(AlgebraTest, WhatIsNotDividedIsTheSameOrUnknown) {
  // 256 b + lane: all lanes are in the same 512, but not in the same 100.
  EXPECT_TRUE(
      isUniform(apply(Code::UDiv, row(256), Form::number(512, 32)), All));
  EXPECT_EQ(apply(Code::UDiv, row(256), Form::number(100, 32)).Top, All);
  // Nor do they share a remainder: what is known of it are the low bits.
  const Form Rest = apply(Code::URem, row(256), Form::number(512, 32));
  EXPECT_EQ(Rest.Top, 0u);
  EXPECT_EQ(Rest.Base[5], 5);
}

TEST_F(AlgebraTest, RangesDecideComparisons) {
  const Form Below = apply(Code::LessS, row(32, {0, 7}), Form::number(256, 32));
  EXPECT_TRUE(isSame(Below, Form::number(1, 1), All));
  // In the last row some lanes are beyond the end, and which is not known.
  EXPECT_NE(apply(Code::LessS, row(32, {0, 7}), Form::number(250, 32)).Top, 0u);
  // What is asked of a symbol alone all lanes are told alike.
  const Form Flag = apply(Code::LessS, Forms.fresh(32, 0), Form::number(3, 32));
  EXPECT_TRUE(isUniform(Flag, All));
  EXPECT_FALSE(Flag.isNumber());
}

TEST_F(AlgebraTest, SumsThatMayWrapDoNotCompareAlike) {
  // Unsigned lane + s < lane + 5 is not s < 5: some lanes may have wrapped.
  const Form Sum =
      Forms.add(lanes(32), Forms.fresh(32, 0), 32, false, false, false);
  const Form Other =
      Forms.add(lanes(32), Form::number(5, 32), 32, true, true, false);
  EXPECT_FALSE(isUniform(apply(Code::LessU, Sum, Other), All));
}

TEST_F(AlgebraTest, AnyOffsetIsTried) {
  const RequestBounds Rows = sectors(row(32));
  EXPECT_EQ(Rows.Low, 4u);
  EXPECT_EQ(Rows.High, 4u);
  const RequestBounds Anywhere = sectors(row(1));
  EXPECT_EQ(Anywhere.Low, 4u);
  EXPECT_EQ(Anywhere.High, 5u);
  EXPECT_FALSE(Anywhere.HasRows);
}

TEST_F(AlgebraTest, PairsAreNoRows) {
  // Sixteen elements, each for two lanes: at a stride of 1 they lie densely.
  Form Index = Forms.fresh({0, 9999}, 32, 0);
  for (unsigned L = 0; L != WarpLanes; ++L) {
    Index.Base[L] = 0;
    Index.Terms[0].Factor[L] = 4 * (L / 2);
  }
  const RequestBounds Pairs =
      boundsOf(siteOf(Space::Global, 4), {}, Index, All, All);
  EXPECT_EQ(Pairs.LowApart, 2u);
}

TEST_F(AlgebraTest, RowsHaveSectorsOfTheirOwn) {
  // Two rows of 16 bytes lie densely in one sector, but at a pitch.
  Form Index = Forms.fresh({0, 9999}, 32, 0);
  for (unsigned L = 0; L != WarpLanes; ++L) {
    Index.Base[L] = L % 16;
    Index.Terms[0].Factor[L] = L / 16;
  }
  const RequestBounds Rows =
      boundsOf(siteOf(Space::Global, 1), {}, Index, All, All);
  EXPECT_EQ(Rows.Low, 1u);
  EXPECT_EQ(Rows.LowApart, 2u);
  EXPECT_EQ(Rows.High, 3u);
}

TEST_F(AlgebraTest, AStrideMayPutLanesAnywhere) {
  const Form Index = apply(Code::Mul, lanes(32), Forms.fresh({0, 99}, 32, 0));
  const RequestBounds Stride = sectors(Index);
  EXPECT_EQ(Stride.Low, 1u);
  EXPECT_EQ(Stride.LowApart, 4u);
  EXPECT_EQ(Stride.High, 32u);
  EXPECT_TRUE(Stride.HasRows);
}

TEST_F(AlgebraTest, BanksDoNotCareForOffsets) {
  const Form Column = Forms.add(address(lanes(32, 32)),
                                Forms.scale(Forms.fresh(64, 0), 4, 64, true),
                                64, true, false, false);
  const RequestBounds B =
      boundsOf(siteOf(Space::Shared, 4), {}, Column, All, All);
  EXPECT_EQ(B.Low, 32u);
  EXPECT_EQ(B.High, 32u);
}

TEST_F(AlgebraTest, RowsOfTheirOwnLeaveTheBanksAsTheyAre) {
  const Form Loaded = Form::unknown(OriginMemory, 32);
  const auto inRow = [&](int64_t Words) {
    return apply(Code::Add, apply(Code::Mul, Loaded, Form::number(Words, 32)),
                 lanes(32));
  };
  const auto wavefronts = [&](const Form &Index) {
    return boundsOf(siteOf(Space::Shared, 4), {}, address(Index), All, All);
  };
  EXPECT_EQ(inRow(128).LowBits, 7);
  EXPECT_EQ(wavefronts(inRow(128)).High, 1u);
  EXPECT_EQ(wavefronts(inRow(33)).High, 32u);
  // Lanes 16 apart may meet in a bank, in different rows or in one.
  EXPECT_EQ(wavefronts(inRow(16)).High, 2u);
  EXPECT_EQ(wavefronts(inRow(16)).Low, 1u);
  // A mask keeps what is known below it, and knows what it clears.
  const Form Table = apply(Code::And, inRow(128), Form::number(8191, 32));
  EXPECT_EQ(wavefronts(Table).High, 1u);
  const Form Aligned = apply(Code::And, Loaded, Form::number(~31, 32));
  EXPECT_EQ(wavefronts(apply(Code::Add, Aligned, lanes(32))).High, 1u);
  // Known bits alone are a number; an exclusive or is not followed.
  EXPECT_TRUE(isSame(apply(Code::And, inRow(32), Form::number(31, 32)),
                     lanes(32), All));
  EXPECT_EQ(apply(Code::Xor, inRow(32), Form::number(1, 32)).LowBits, 0);
}

TEST_F(AlgebraTest, NoLaneLeavesItsReach) {
  const Form Loaded = Form::unknown(OriginMemory, 32);
  const auto masked = [&](int64_t Mask) {
    return apply(Code::And, Loaded, Form::number(Mask, 32));
  };
  const auto of = [&](Space Memory, unsigned Bytes, const Form &Index) {
    return boundsOf(siteOf(Memory, Bytes), {}, address(Index), All, All);
  };
  EXPECT_EQ(masked(15).Reach, 15u);
  EXPECT_EQ(of(Space::Global, 4, masked(15)).High, 2u);
  // A word for each bank, and two for some.
  EXPECT_EQ(of(Space::Shared, 4, masked(31)).High, 1u);
  EXPECT_EQ(of(Space::Shared, 4, masked(63)).High, 2u);
  // Rows of 64 bytes, of which there are two.
  const Form Rows = apply(Code::Mul, masked(1), Form::number(16, 32));
  EXPECT_EQ(of(Space::Global, 16, Rows).High, 2u);
  EXPECT_EQ(
      of(Space::Global, 16, apply(Code::Mul, masked(1), Form::number(-16, 32)))
          .High,
      32u);
  // Where all lanes start is not known, but they start together.
  const Form Start = Forms.scale(Forms.fresh(64, 0), 4, 64, true);
  EXPECT_EQ(
      boundsOf(siteOf(Space::Global, 4), {},
               Forms.add(address(masked(7)), Start, 64, true, false, false),
               All, All)
          .High,
      2u);
  // 64 words starting at any lane's number.
  EXPECT_EQ(of(Space::Shared, 4, apply(Code::Add, masked(31), lanes(32))).High,
            2u);
  EXPECT_EQ(apply(Code::URem, Loaded, Form::number(10, 32)).Reach, 9u);
  EXPECT_EQ(apply(Code::SRem, Loaded, Form::number(10, 32)).Base[3], -9);
  EXPECT_EQ(apply(Code::LShr, Loaded, Form::number(28, 32)).Reach, 15u);
  const Form Clamped =
      apply(Code::MinS, apply(Code::MaxS, Loaded, Form::number(0, 32)),
            Form::number(9, 32));
  EXPECT_EQ(Clamped.Reach, 9u);
  // It may wrap around before it is widened.
  const Form Far = apply(Code::Add, masked(15), Form::number(INT32_MAX, 32));
  EXPECT_EQ(address(Far).Reach, 4 * uint64_t(UINT32_MAX));
  EXPECT_EQ(of(Space::Shared, 4, apply(Code::Add, Loaded, lanes(32))).High,
            32u);
}

TEST_F(AlgebraTest, LanesThatMayBeOffLowerTheBound) {
  const RequestBounds B =
      boundsOf(siteOf(Space::Global, 4), {}, address(row(32)), All, 0xff);
  EXPECT_EQ(B.Low, 1u);
  EXPECT_EQ(B.LowFull, 4u);
  EXPECT_EQ(B.High, 4u);
}

TEST_F(AlgebraTest, ComparisonsSayWhetherOneBlockTellsMore) {
  const Form Block = Forms.add(
      lanes(32),
      Forms.scale(Forms.fresh({0, 1000}, 32, OriginBlock), 32, 32, true), 32,
      true, true, false);
  const auto placeOf = [&](const Form &Size) {
    return Forms.placeOf(apply(Code::LessS, Block, Size), All);
  };
  // Any size can be meant in any block; of one near 16,000 the first and the
  // last blocks are sure.
  EXPECT_EQ(placeOf(Forms.fresh(32, OriginAssumed)), 0u);
  EXPECT_EQ(placeOf(Forms.fresh({16000, 16100}, 32, OriginAssumed)),
            OriginBlock);
  EXPECT_EQ(placeOf(Form::number(16000, 32)), OriginBlock);
  EXPECT_EQ(placeOf(Form::number(40000, 32)), 0u); // all are below
}

TEST_F(AlgebraTest, WholeSectorsChangeNoCosts) {
  const auto sameAfter = [&](int64_t Elements, const Site &S) {
    const Form Moved =
        Forms.add(row(5), Form::number(Elements, 32), 32, true, true, false);
    const Form Still =
        Forms.add(Moved, Form::number(-Elements, 32), 32, true, true, false);
    return costTheSame(S, {}, address(Still), address(Moved), All);
  };
  EXPECT_TRUE(sameAfter(8, siteOf(Space::Global, 4)));
  EXPECT_TRUE(sameAfter(-16, siteOf(Space::Global, 4)));
  EXPECT_FALSE(sameAfter(4, siteOf(Space::Global, 4)));
  EXPECT_TRUE(sameAfter(1, siteOf(Space::Shared, 4)));
  EXPECT_FALSE(costTheSame(siteOf(Space::Global, 4), {}, address(row(5)),
                           address(row(6)), All));
}

TEST_F(AlgebraTest, BoundsSayWhetherOneBlockTellsMore) {
  const auto placeOf = [&](const Form &Address) {
    return placeOfBounds(siteOf(Space::Global, 4), {}, Address, Forms, All);
  };
  const Form Block = Forms.fresh({0, 1000}, 32, OriginBlock);
  const auto rows = [&](int64_t Pitch) {
    return address(Forms.add(lanes(32), Forms.scale(Block, Pitch, 32, true), 32,
                             true, true, false));
  };
  EXPECT_EQ(placeOf(rows(8)), 0u); // whole sectors
  EXPECT_EQ(placeOf(rows(5)), OriginBlock);
  // Where the array may start anywhere, so may its rows in any block.
  const Form Start = Forms.scale(Forms.fresh(32, OriginPointer), 4, 64, true);
  EXPECT_EQ(placeOf(Forms.add(rows(5), Start, 64, true, false, false)), 0u);
  // What lanes load through an index that hangs on the block.
  EXPECT_EQ(placeOf(Form::unknown(OriginMemory | OriginBlock, 64)),
            OriginBlock);
  EXPECT_EQ(placeOf(Form::unknown(OriginMemory, 64)), 0u);
}

/// out[i] = in[i], where i is 256 * block + thread, \p Guard true.
static LaunchProof proofOfACopy(const std::string &Parameters,
                                const std::string &Guard, bool KnowsStart,
                                uint64_t &StepsOfOneRun) {
  test::KernelText Text("ptr %in, ptr %out" + Parameters, R"(
    %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    %first = mul nuw nsw i32 %block, 256
    %i = add nuw nsw i32 %first, %tid
    )" + Guard + R"(
    br i1 %guard, label %copy, label %end
  copy:
    %from = getelementptr float, ptr %in, i32 %i
    %v = load float, ptr %from
    %to = getelementptr float, ptr %out, i32 %i
    store float %v, ptr %to
    br label %end
  end:
    ret void)");
  const Program Code = compileKernel(Text.kernel());
  StepsOfOneRun = 0;
  for (const BlockCode &B : Code.Blocks)
    StepsOfOneRun += B.EndStep - B.FirstStep + B.Phis.size() + 1;
  LaunchPlan Plan;
  Plan.Shape.Grid = {{100, 1, 1}};
  Plan.Shape.Block = {256, 1, 1};
  if (KnowsStart) {
    Plan.Arguments.resize(2);
    for (launch::Argument &A : Plan.Arguments)
      A.PointerOffset = 0;
  }
  return prove(Code, Plan, {}, 200'000);
}

TEST(ProofTest, WhatNoThreadReachesIsKnown) {
  uint64_t One = 0;
  const auto Never =
      proofOfACopy("", "%guard = icmp sgt i32 %i, 25599", true, One);
  const auto Last =
      proofOfACopy("", "%guard = icmp sgt i32 %i, 25598", true, One);
  const auto Unknown =
      proofOfACopy(", i32 %n", "%guard = icmp sgt i32 %i, %n", true, One);
  for (unsigned Site = 0; Site != 2; ++Site) {
    EXPECT_TRUE(Never.Sites[Site].IsUnreached);
    EXPECT_FALSE(Last.Sites[Site].IsUnreached);
    EXPECT_FALSE(Unknown.Sites[Site].IsUnreached);
  }
}

TEST(ProofTest, BlocksAndWarpsAreLookedAtWhereTheyTellMore) {
  uint64_t One = 0;
  const std::string Unknown = "%guard = icmp slt i32 %i, %n";
  const auto Loose = proofOfACopy(", i32 %n", Unknown, false, One);
  EXPECT_EQ(Loose.Steps, One);
  EXPECT_EQ(Loose.Sites[0].High, 5);
  const auto Aligned = proofOfACopy(", i32 %n", Unknown, true, One);
  EXPECT_EQ(Aligned.Steps, One);
  EXPECT_EQ(Aligned.Sites[0].High, 4);
  // Half of the last warp is beyond the end.
  const auto Edge =
      proofOfACopy("", "%guard = icmp slt i32 %i, 25584", true, One);
  EXPECT_GT(Edge.Steps, 8 * One);
  EXPECT_TRUE(Edge.Sites[0].isPoint());
}

TEST(ContextsTest, LanesOfOneContextRunTogether) {
  Contexts Tree;
  std::array<Context, 32> Of{};
  Context Common;
  EXPECT_EQ(Tree.sureLanes(Of, All, Common), All);
  EXPECT_EQ(Common, Certain);
  const Context Together = Tree.child(Certain, 7, /*Own=*/false);
  const Context Own = Tree.child(Certain, 7, /*Own=*/true);
  Of.fill(Together);
  EXPECT_EQ(Tree.sureLanes(Of, All, Common), All);
  EXPECT_EQ(Common, Together);
  Of[3] = Certain; // runs also when the others do not
  EXPECT_EQ(Tree.sureLanes(Of, All, Common), 1u << 3);
  Of.fill(Own);
  EXPECT_EQ(Tree.sureLanes(Of, All, Common), 0u);
}

TEST(ContextsTest, ContextsEndWhereTheirBranchDoes) {
  Contexts Tree;
  const Context Outer = Tree.child(Certain, 9, false);
  const Context Inner = Tree.child(Outer, 5, true);
  EXPECT_EQ(Tree.leave(Inner, 5), Outer);
  EXPECT_EQ(Tree.leave(Inner, 9), Certain);
  EXPECT_EQ(Tree.leave(Inner, 4), Inner);
  // "if (a || b)": one way or the other, until both ways are over.
  const Context A = Tree.child(Certain, 9, false);
  const Context Either = Tree.merge(A, Inner);
  EXPECT_NE(Either, Certain);
  EXPECT_TRUE(Tree.isOwn(Either));
  EXPECT_EQ(Tree.leave(Either, 9), Certain);
  EXPECT_EQ(Tree.merge(Outer, Inner), Outer);
}

} // namespace
