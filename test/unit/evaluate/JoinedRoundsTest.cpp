//===- JoinedRoundsTest.cpp - Rounds whose accesses become one ------------===//

#include "KernelText.h"

#include "analyzer/evaluate/JoinedRounds.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace warpwise::access {
namespace {

/// Rounds that one load serves of `tile[\p Row][\p Column]` in a loop over i,
/// of which \p Written are written out. %t32 and %masked are multiples of 32,
/// %t is not.
unsigned served(const std::string &Row, const std::string &Column,
                unsigned Written = 32, const std::string &Type = "float",
                const std::string &From = "0", const std::string &By = "1",
                FirstRound First = FirstRound::AsWritten) {
  test::KernelText Text("ptr addrspace(1) %a, i32 %t",
                        R"(
  entry:
    %t32 = shl i32 %t, 5
    %masked = and i32 %t, -32
    br label %loop
  loop:
    %i = phi i32 [ )" + From +
                            R"(, %entry ], [ %next, %loop ]
    %i4 = add nsw i32 %i, 4
    %i1 = add nsw i32 %i, 1
    %ti = add nsw i32 %t32, %i
    %here = shl i32 %t, 2
    %oi = or disjoint i32 %here, %i
    %wide = zext i32 %oi to i64
    %mi = add nsw i32 %masked, %i
    %twice = mul nsw i32 %i, 2
    %at = getelementptr [32 x [32 x )" +
                            Type +
                            R"(]], ptr addrspace(3) @tile, i32 0, i32 )" + Row +
                            ", i32 " + Column + R"(
    %v = load )" + Type + R"(, ptr addrspace(3) %at
    store )" + Type + R"( %v, ptr addrspace(1) %a
    %next = add nsw i32 %i, )" +
                            By + R"(
    %again = icmp slt i32 %next, 1024
    br i1 %again, label %loop, label %end
  end:
    ret void)",
                        "@tile = internal addrspace(3) global [32 x [32 x " +
                            Type + "]] undef, align 16\n");
  Function &F = Text.kernel();
  DominatorTree Dominators(F);
  llvm::LoopInfo Loops(Dominators);
  const auto *Load = cast<LoadInst>(Text.instruction("v"));
  const llvm::Loop &L = *Loops.getLoopFor(Load->getParent());
  return roundsAtOnce(*Load, {L, Written, Written, L}, First);
}

TEST(JoinedRounds, ARowIsReadFourWordsAtATime) {
  EXPECT_EQ(served("%t", "%i"), 4u);
  EXPECT_EQ(served("0", "%ti"), 4u);
  EXPECT_EQ(served("0", "%oi"), 4u);
  EXPECT_EQ(served("0", "%mi"), 4u);
  EXPECT_EQ(served("%t", "%i4"), 4u) << "it starts at the next four";
  EXPECT_EQ(served("%t", "%i", 32, "double"), 2u);
  EXPECT_EQ(served("%t", "%i", 32, "i16"), 8u);
  EXPECT_EQ(served("%t", "%i", 32, "i8"), 1u) << "bytes by themselves";
  EXPECT_EQ(served("%t", "%i", 32, "<4 x float>"), 1u);
}

TEST(JoinedRounds, NoMoreThanAreWrittenOut) {
  EXPECT_EQ(served("%t", "%i", 2), 2u);
  EXPECT_EQ(served("%t", "%i", 3), 2u);
  EXPECT_EQ(served("%t", "%i", 1), 1u);
}

TEST(JoinedRounds, OnlyWhereItStartsAligned) {
  EXPECT_EQ(served("%t", "%i1"), 1u);
  EXPECT_EQ(served("%t", "%i", 32, "float", "%t"), 1u);
  EXPECT_EQ(served("%t", "%i", 32, "float", "2"), 2u);
}

TEST(JoinedRounds, WhatLiesBeforeTheLoopMayMakeItWhole) {
  const auto most = [](const std::string &Row, const std::string &Column,
                       const std::string &From) {
    return served(Row, Column, 32, "float", From, "1", FirstRound::Aligned);
  };
  EXPECT_EQ(most("%t", "%i", "1"), 4u);
  EXPECT_EQ(most("%t", "%i", "2"), 4u);
  EXPECT_EQ(most("%t", "%i", "%t"), 1u) << "nobody knows where it starts";
  EXPECT_EQ(most("%i", "%t", "1"), 1u) << "not side by side";
}

TEST(JoinedRounds, OnlySideBySide) {
  EXPECT_EQ(served("%i", "%t"), 1u);
  EXPECT_EQ(served("%t", "%twice"), 1u);
  EXPECT_EQ(served("%t", "%i", 32, "float", "0", "2"), 1u);
  EXPECT_EQ(served("%t", "%t"), 1u);
}

/// Rounds of the loop over i that one load serves of `tile[4 * t + f][i]`,
/// whose rows are \p Pitch words, in loops over f and i that are written out,
/// \p Its rounds of i.
unsigned servedOfRows(unsigned Pitch, unsigned Its, FirstRound First,
                      bool RowsInside) {
  const std::string Outer = RowsInside ? "i" : "f",
                    Inner = RowsInside ? "f" : "i";
  test::KernelText Text("ptr addrspace(1) %a, i32 %t",
                        R"(
  entry:
    %t4 = shl i32 %t, 2
    br label %outer
  outer:
    %)" + Outer + R"( = phi i32 [ 0, %entry ], [ %outernext, %latch ]
    br label %inner
  inner:
    %)" + Inner + R"( = phi i32 [ 0, %outer ], [ %next, %inner ]
    %row = add i32 %t4, %f
    %at = getelementptr [64 x [)" +
                            std::to_string(Pitch) + R"( x float]],
        ptr addrspace(3) @tile, i32 0, i32 %row, i32 %i
    %v = load float, ptr addrspace(3) %at
    store float %v, ptr addrspace(1) %a
    %next = add nuw i32 %)" +
                            Inner + R"(, 1
    %again = icmp slt i32 %next, 4
    br i1 %again, label %inner, label %latch
  latch:
    %outernext = add nuw i32 %)" +
                            Outer + R"(, 1
    %more = icmp slt i32 %outernext, 4
    br i1 %more, label %outer, label %end
  end:
    ret void)",
                        "@tile = internal addrspace(3) global [64 x [" +
                            std::to_string(Pitch) +
                            " x float]] undef, align 16\n");
  Function &F = Text.kernel();
  DominatorTree Dominators(F);
  llvm::LoopInfo Loops(Dominators);
  const auto *Load = cast<LoadInst>(Text.instruction("v"));
  const llvm::Loop &Within = *Loops.getLoopFor(Load->getParent());
  const llvm::Loop &Around = *Within.getParentLoop();
  return roundsAtOnce(*Load, {RowsInside ? Around : Within, 4, Its, Around},
                      First);
}

/// Where each row begins is a constant once the rows are written out, and only
/// its ends come by themselves.
TEST(JoinedRounds, RowsThatAreWrittenOutMayBeginAnywhere) {
  for (const bool RowsInside : {false, true}) {
    SCOPED_TRACE(RowsInside);
    const auto of = [&](unsigned Pitch, unsigned Its, FirstRound First) {
      return servedOfRows(Pitch, Its, First, RowsInside);
    };
    EXPECT_EQ(of(32, 32, FirstRound::AsWritten), 4u);
    EXPECT_EQ(of(33, 32, FirstRound::AsWritten), 4u);
    EXPECT_EQ(of(34, 32, FirstRound::AsWritten), 4u);
    EXPECT_EQ(of(33, 4, FirstRound::AsWritten), 1u) << "a row is all ends";
    EXPECT_EQ(of(33, 4, FirstRound::Aligned), 4u) << "but one of four is not";
  }
}

} // namespace
} // namespace warpwise::access
