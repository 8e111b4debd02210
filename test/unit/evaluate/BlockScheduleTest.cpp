//===- BlockScheduleTest.cpp - Instructions of a kernel and their waits ---===//

#include "KernelText.h"

#include "analyzer/evaluate/BlockSchedule.h"
#include "analyzer/evaluate/InstructionPrice.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/PrivateUses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <numeric>
#include <string>

using namespace llvm;

namespace warpwise::access {
namespace {

class BlockScheduleTest : public testing::Test {
protected:
  /// Of the block called \p Name.
  static BlockSchedule schedule(test::KernelText &Text, StringRef Name) {
    Function &F = Text.kernel();
    DominatorTree Dominators(F);
    llvm::LoopInfo Loops(Dominators);
    const UnrolledLoops Unrolled = unrolledLoops(F, Dominators, Loops);
    for (BasicBlock &Block : F)
      if (Block.getName() == Name) {
        const Loop *Around = Loops.getLoopFor(&Block);
        return scheduleBlock(Block, Around,
                             Around ? unrollingOf(*Around, Unrolled)
                                    : Unrolling());
      }
    ADD_FAILURE() << "no block " << Name.str();
    return BlockSchedule();
  }

  /// Warp instructions of one execution of the block called \p Name.
  static float issued(test::KernelText &Text, StringRef Name) {
    const BlockSchedule S = schedule(Text, Name);
    return std::accumulate(S.Issued.begin(), S.Issued.end(), 0.0f);
  }

  /// for (i = 0; i < \p Rounds; ++i) sum += a[i * n + first].
  static std::string sumOfColumn(const std::string &Rounds,
                                 const std::string &Mark = "") {
    return R"(
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
    %row = mul nsw i32 %i, %n
    %index = add nsw i32 %row, %first
    %wide = sext i32 %index to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    %more = fadd float %sum, %v
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, )" +
           Rounds + R"(
    br i1 %again, label %loop, label %end)" +
           Mark + R"(
  end:
    store float %more, ptr addrspace(1) %a
    ret void)";
  }
  static constexpr const char *Parameters =
      "ptr addrspace(1) %a, i32 %n, i32 %first";
};

/// A load, a sum, one step of the address; a quarter of counting, comparing and
/// branching, as nvcc writes four rounds one after the other.
TEST_F(BlockScheduleTest, RoundsShareTheirCounting) {
  test::KernelText Text(Parameters, sumOfColumn("%n"));
  EXPECT_FLOAT_EQ(issued(Text, "loop"), 3 + 3 * 0.25f);
}

/// "I += blockDim.x" is not written out by nvcc, "I += Step" is.
TEST_F(BlockScheduleTest, StepsThatTheLaunchSaysAreNotUnrolled) {
  const auto sumOfRow = [](const std::string &Step) {
    return R"(
  entry:
    %step = )" +
           Step + R"(
    br label %loop
  loop:
    %i = phi i32 [ %first, %entry ], [ %next, %loop ]
    %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
    %wide = sext i32 %i to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    %more = fadd float %sum, %v
    %next = add nsw i32 %i, %step
    %again = icmp slt i32 %next, %n
    br i1 %again, label %loop, label %end
  end:
    store float %more, ptr addrspace(1) %a
    ret void)";
  };
  test::KernelText ByLaunch(
      Parameters, sumOfRow("call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()"),
      "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n");
  test::KernelText ByArgument(Parameters, sumOfRow("add i32 %n, 0"));
  EXPECT_GT(issued(ByLaunch, "loop"), issued(ByArgument, "loop") + 1);
}

/// Nobody knows how often an unsigned counter goes round, unless by ones.
TEST_F(BlockScheduleTest, CountersThatMayBeginAnewAreNotUnrolled) {
  const auto sumOfRow = [](const std::string &Sum, const std::string &Test) {
    return R"(
  entry:
    br label %loop
  loop:
    %i = phi i64 [ 5, %entry ], [ %next, %loop ]
    %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
    %at = getelementptr float, ptr addrspace(1) %a, i64 %i
    %v = load float, ptr addrspace(1) %at
    %more = fadd float %sum, %v
    %next = )" +
           Sum + R"(
    %again = )" +
           Test + R"(
    br i1 %again, label %loop, label %end
  end:
    store float %more, ptr addrspace(1) %a
    ret void)";
  };
  constexpr const char *Size = "ptr addrspace(1) %a, i64 %n";
  const auto issuedBy = [&](const std::string &Sum, const std::string &Test) {
    test::KernelText Text(Size, sumOfRow(Sum, Test));
    return issued(Text, "loop");
  };
  const float Signed =
      issuedBy("add nsw i64 %i, 256", "icmp slt i64 %next, %n");
  const float Unsigned = issuedBy("add i64 %i, 256", "icmp ult i64 %next, %n");
  EXPECT_GT(Unsigned, Signed + 1);
  EXPECT_FLOAT_EQ(issuedBy("add i64 %i, 1", "icmp ult i64 %next, %n"), Signed);
}

TEST_F(BlockScheduleTest, AsTheSourceSaysNoneIsUnrolled) {
  test::KernelText Text(Parameters, sumOfColumn("%n", ", !llvm.loop !1"),
                        "!1 = distinct !{!1, !2}\n"
                        "!2 = !{!\"llvm.loop.unroll.disable\"}\n");
  EXPECT_FLOAT_EQ(issued(Text, "loop"), 3 + 3);
}

/// ptxas writes four short rounds out four times again, but not where the front
/// end counts them by what an address is multiplied with, nor long ones.
TEST_F(BlockScheduleTest, ShortRoundsAreWrittenOutAgain) {
  const auto waits = [](const std::string &First, const std::string &Index,
                        const std::string &More) {
    test::KernelText Text("ptr addrspace(1) %a, i32 %n, i32 %first", R"(
  entry:
    br label %loop
  loop:
    %i = phi i32 [ )" + First + R"(, %entry ], [ %next, %loop ]
    %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
    %index = )" + Index + R"(
    %wide = sext i32 %index to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    )" + More + R"(
    %more = fadd float %sum, %w
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, %n
    br i1 %again, label %loop, label %end
  end:
    store float %more, ptr addrspace(1) %a
    ret void)");
    const BlockSchedule S = schedule(Text, "loop");
    EXPECT_EQ(S.Waits.size(), 1u);
    return S.Waits.begin()->second.Times;
  };
  const std::string Along = "add nsw i32 %i, %first",
                    Across = "mul nsw i32 %i, 1000",
                    Short = "%w = fmul float %v, %v";
  EXPECT_EQ(waits("0", Along, Short), 1 / 16.f);
  EXPECT_EQ(waits("0", Across, Short), 1 / 4.f);
  EXPECT_EQ(waits("%first", Across, Short), 1 / 16.f);
  std::string Long = "%w0 = fmul float %v, %v\n";
  for (unsigned N = 1; N != 8; ++N)
    Long += "%w" + std::to_string(N) + " = fmul float %w" +
            std::to_string(N - 1) + ", %v\n";
  EXPECT_EQ(waits("0", Along, Long + "%w = fsub float %w7, %v"), 1 / 4.f);
}

/// Loads that fill 16 registers are under way together, one of four words as
/// much as four.
TEST_F(BlockScheduleTest, LoadsFillRegisters) {
  const auto least = [](const std::string &Type, unsigned Loads) {
    std::string Body = "entry:\n";
    for (unsigned N = 0; N != Loads; ++N) {
      const std::string At = std::to_string(N);
      Body += "%p" + At + " = getelementptr " + Type +
              ", ptr addrspace(1) %a, i64 " + At + "\n%v" + At + " = load " +
              Type + ", ptr addrspace(1) %p" + At + "\nstore " + Type + " %v" +
              At + ", ptr addrspace(3) %b\n";
    }
    test::KernelText Text("ptr addrspace(1) %a, ptr addrspace(3) %b",
                          Body + "ret void");
    float Most = 0;
    for (const auto &[Load, Its] : schedule(Text, "entry").Waits)
      Most = std::max(Most, Its.Least);
    return Most;
  };
  EXPECT_EQ(least("float", 24), 1.5f);
  EXPECT_EQ(least("i8", 24), 1.5f);
  EXPECT_EQ(least("<2 x float>", 24), 3);
  EXPECT_EQ(least("<4 x float>", 2), 0.5f);
}

/// Counters in shared memory wait for each other from round to round; what
/// chooses among them comes from global memory, four rounds at once.
TEST_F(BlockScheduleTest, GlobalLoadsDoNotWaitForSharedOnes) {
  const auto counts = [](const std::string &Choice) {
    return R"(
  entry:
    br label %loop
  loop:
    %i = phi i32 [ %first, %entry ], [ %next, %loop ]
    %wide = sext i32 %i to i64
    %at = getelementptr i32, ptr addrspace(1) %a, i64 %wide
    %v = load i32, ptr addrspace(1) %at
    %bin = getelementptr i32, ptr addrspace(3) @bins, i32 %v
    %old = load i32, ptr addrspace(3) %bin
    %new = add i32 %old, 1
    store i32 %new, ptr addrspace(3) %bin
    )" + Choice +
           R"(
    %again = icmp slt i32 %next, %n
    br i1 %again, label %loop, label %end
  end:
    ret void)";
  };
  const auto waits = [](const std::string &Body) {
    test::KernelText Text(
        Parameters, Body,
        "@bins = internal addrspace(3) global [64 x i32] undef\n");
    std::map<std::string, float> Times;
    for (const auto &[Load, Its] : schedule(Text, "loop").Waits)
      Times[Load->getName().str()] = Its.Times;
    return Times;
  };
  const auto Apart = waits(counts("%next = add nsw i32 %i, 1"));
  EXPECT_FLOAT_EQ(Apart.at("v"), 0.25f);
  EXPECT_FLOAT_EQ(Apart.at("old"), 1);
  // Where a round goes is what the one before it found in shared memory.
  const auto Led = waits(counts("%next = add nsw i32 %old, 1"));
  EXPECT_FLOAT_EQ(Led.at("v"), 1);
}

/// 16 rounds at a time of 1024.
TEST_F(BlockScheduleTest, LongLoopsAreUnrolledInParts) {
  test::KernelText Text(Parameters, sumOfColumn("1024"));
  EXPECT_FLOAT_EQ(issued(Text, "loop"), 3 + 3 / 16.0f);
}

/// 96 short rounds are written out, 96 of eight products in parts of eight, and
/// of a hundred products each stays alone.
TEST_F(BlockScheduleTest, LongRoundsAreNotWrittenOut) {
  const auto counting = [](unsigned Products) {
    std::string Sums = "    %s0 = fadd float %sum, %v\n";
    for (unsigned N = 0; N != Products; ++N)
      Sums += "    %p" + std::to_string(N) + " = fmul float %s" +
              std::to_string(N) + ", 3.0\n    %s" + std::to_string(N + 1) +
              " = fadd float %p" + std::to_string(N) + ", %v\n";
    std::string Body = sumOfColumn("96");
    const std::string Only = "%more = fadd float %sum, %v";
    Body.replace(Body.find(Only), Only.size(),
                 Sums + "    %more = fadd float %s" + std::to_string(Products) +
                     ", 1.0");
    test::KernelText Text(Parameters, Body);
    // A load, a sum before and one behind.
    return issued(Text, "loop") - float(Products) - 3;
  };
  EXPECT_NEAR(counting(0), 1, 0.1) << "a step of the address";
  EXPECT_NEAR(counting(8), 1 + 3 / 8.0f, 0.1);
  EXPECT_NEAR(counting(100), 1 + 3, 0.1);
}

TEST_F(BlockScheduleTest, OrAsAWholeWhereTheSourceWantsIt) {
  test::KernelText Text(Parameters, sumOfColumn("1024", ", !llvm.loop !1"),
                        "!1 = distinct !{!1, !2}\n"
                        "!2 = !{!\"llvm.loop.unroll.enable\"}\n");
  EXPECT_NEAR(issued(Text, "loop"), 2 + 1, 0.01);
}

/// Words of constant memory become operands: all rounds are written out,
/// however many sums each has, unless the address hangs on the block, or the
/// loop is in one whose rounds are not known.
TEST_F(BlockScheduleTest, WalksAlongConstantMemoryAreWrittenOut) {
  const auto walk = [](const std::string &Rounds, const std::string &From) {
    return R"(
  entry:
    br label %loop
  loop:
    %i = phi i64 [ 0, %entry ], [ %next, %loop ]
    %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
    %index = add i64 %i, )" +
           From + R"(
    %at = getelementptr float, ptr addrspace(4) @table, i64 %index
    %v = load float, ptr addrspace(4) %at
    %more = fadd float %sum, %v
    %next = add nsw i64 %i, 1
    %again = icmp slt i64 %next, )" +
           Rounds + R"(
    br i1 %again, label %loop, label %end
  end:
    store float %more, ptr addrspace(1) %a
    ret void)";
  };
  const auto issuedOf = [](const std::string &Body) {
    test::KernelText Text(
        "ptr addrspace(1) %a, i64 %n, i64 %first", Body,
        "@table = external addrspace(4) global [8192 x float]");
    return issued(Text, "loop");
  };
  // The sum, and half an instruction for the word.
  EXPECT_NEAR(issuedOf(walk("500", "7")), 1.5, 0.01);
  EXPECT_GT(issuedOf(walk("500", "%first")), 2.1);
  EXPECT_GT(issuedOf(walk("%n", "7")), 2.1);
  EXPECT_GT(issuedOf(walk("1024", "7")), 2.1);
}

/// What hangs on the counter alone is a constant in each round.
TEST_F(BlockScheduleTest, WrittenOutLoopsComputeTheirIndicesAtCompileTime) {
  test::KernelText Text("ptr addrspace(1) %a, i32 %n", R"(
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
    %row = sdiv i32 %i, 3
    %column = srem i32 %i, 3
    %start = mul nsw i32 %row, 2050
    %there = add nsw i32 %start, %column
    %index = add nsw i32 %there, %n
    %wide = sext i32 %index to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    %more = fadd float %sum, %v
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, 9
    br i1 %again, label %loop, label %end
  end:
    store float %more, ptr addrspace(1) %a
    ret void)");
  // A load, a sum, and a ninth of one address of 64 bits.
  EXPECT_FLOAT_EQ(issued(Text, "loop"), 2 + 2 / 9.0f);
}

/// for (j = 0; j < \p Outer; ++j)
///   for (i = 0; i < 4; ++i) sum += a[\p Index];
std::string sumOfBoth(const std::string &Outer, const std::string &Index) {
  return R"(
  entry:
    br label %outer
  outer:
    %j = phi i32 [ 0, %entry ], [ %further, %latch ]
    %before = phi float [ 0.0, %entry ], [ %more, %latch ]
    br label %loop
  loop:
    %i = phi i32 [ 0, %outer ], [ %next, %loop ]
    %sum = phi float [ %before, %outer ], [ %more, %loop ]
    )" + Index +
         R"(
    %wide = sext i32 %index to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    %more = fadd float %sum, %v
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, 4
    br i1 %again, label %loop, label %latch
  latch:
    %further = add nsw i32 %j, 1
    %on = icmp slt i32 %further, )" +
         Outer + R"(
    br i1 %on, label %outer, label %end
  end:
    store float %more, ptr addrspace(1) %a
    ret void)";
}

/// "first ^ i" is the same in all rounds of the outer loop: a load and a sum
/// are left (bank-xor, nvcc 13).
TEST_F(BlockScheduleTest, WhatEachRoundOfTheOuterLoopWantsIsComputedOnce) {
  test::KernelText Same(Parameters,
                        sumOfBoth("%n", "%index = xor i32 %i, %first"));
  EXPECT_FLOAT_EQ(issued(Same, "loop"), 2);
  test::KernelText Other(Parameters,
                         sumOfBoth("%n", R"(%odd = xor i32 %i, %first
    %index = xor i32 %odd, %j)"));
  EXPECT_FLOAT_EQ(issued(Other, "loop"), 2 + 2) << "the last xor, an address";
}

/// Where both are written out, so is what hangs on both counters.
TEST_F(BlockScheduleTest, CountersOfBothLoopsAreConstants) {
  const std::string Index = R"(%both = mul nsw i32 %i, %j
    %odd = xor i32 %both, 5
    %index = add nsw i32 %odd, %first)";
  test::KernelText Known(Parameters, sumOfBoth("4", Index));
  test::KernelText Unknown(Parameters, sumOfBoth("%n", Index));
  EXPECT_GE(issued(Unknown, "loop"), issued(Known, "loop") + 2);
}

/// Numbers that are used twice each, a hundred times in a row: whoever follows
/// both uses each time does not come back.
TEST_F(BlockScheduleTest, NumbersThatAreUsedAgainAndAgain) {
  for (const char *Opcode : {"add", "xor"}) {
    std::string Index = "%x0 = add i32 %i, %first\n";
    for (unsigned N = 0; N != 100; ++N)
      Index += "%x" + std::to_string(N + 1) + " = " + Opcode + " i32 %x" +
               std::to_string(N) + ", %x" + std::to_string(N) + "\n";
    test::KernelText Text(Parameters,
                          sumOfBoth("4", Index + "%index = add i32 %x100, %j"));
    EXPECT_GT(issued(Text, "loop"), 2) << Opcode;
    // The same decides how many rounds there are.
    std::string Rounds = "%x0 = add i32 %j, 1\n";
    for (unsigned N = 0; N != 100; ++N)
      Rounds += "%x" + std::to_string(N + 1) + " = " + Opcode + " i32 %x" +
                std::to_string(N) + ", %x" + std::to_string(N) + "\n";
    std::string Body = sumOfBoth("4", Rounds + "%index = add i32 %x100, %i");
    const std::string Four = "icmp slt i32 %next, 4";
    Body.replace(Body.find(Four), Four.size(), "icmp slt i32 %next, %x100");
    test::KernelText Other(Parameters, Body);
    EXPECT_GT(issued(Other, "loop"), 2) << Opcode;
  }
}

/// A row of sums is an instruction for each two, however long it is.
TEST_F(BlockScheduleTest, LongRowsOfSums) {
  std::string Body = "%x0 = add i32 %n, %first\n";
  constexpr unsigned Sums = 20000;
  for (unsigned N = 0; N != Sums; ++N)
    Body += "%x" + std::to_string(N + 1) + " = add i32 %x" + std::to_string(N) +
            ", %first\n";
  test::KernelText Text(Parameters, "entry:\n" + Body + "store i32 %x" +
                                        std::to_string(Sums) +
                                        ", ptr addrspace(1) %a\nret void");
  EXPECT_LT(issued(Text, "entry"), 0.6f * Sums);
}

/// Both loops are written out, yet each pair of rounds has a number of its own,
/// which has to be computed (bank-stride-32, nvcc 13).
TEST_F(BlockScheduleTest, WhatBothCountersChangeIsComputedEachTime) {
  test::KernelText Text(Parameters, sumOfBoth("4", R"(%both = add nsw i32 %i, %j
    %there = add nsw i32 %both, %first
    %index = xor i32 %there, %n)"));
  // A load, a sum, "there", "index" and the address.
  EXPECT_FLOAT_EQ(issued(Text, "loop"), 2 + 3);
}

/// One address serves all rounds of both, since they differ by constants.
TEST_F(BlockScheduleTest, ConstantsFitIntoTheAddressesOfBothLoops) {
  test::KernelText Text(Parameters, sumOfBoth("4", R"(%row = mul nsw i32 %j, 32
    %both = add nsw i32 %i, %row
    %index = add nsw i32 %both, %first)"));
  EXPECT_FLOAT_EQ(issued(Text, "loop"), 2 + 2 / 16.0f);
}

/// for (i = 0; i < 9; ++i) for (j = i + 1; j < 9; ++j): 36 rounds, four on
/// average, and nothing of the loops is left (local-array-median, nvcc 13).
TEST_F(BlockScheduleTest, TrianglesAreWrittenOut) {
  const auto triangle = [](const std::string &Rounds) {
    return R"(
  entry:
    br label %outer
  outer:
    %i = phi i32 [ 0, %entry ], [ %further, %latch ]
    %before = phi float [ 0.0, %entry ], [ %sum, %latch ]
    %further = add nsw i32 %i, 1
    br label %test
  test:
    %j = phi i32 [ %further, %outer ], [ %next, %loop ]
    %sum = phi float [ %before, %outer ], [ %more, %loop ]
    %again = icmp slt i32 %j, )" +
           Rounds + R"(
    br i1 %again, label %loop, label %latch
  loop:
    %index = add nsw i32 %j, %first
    %wide = sext i32 %index to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    %more = fadd float %sum, %v
    %next = add nsw i32 %j, 1
    br label %test
  latch:
    %on = icmp slt i32 %further, 9
    br i1 %on, label %outer, label %end
  end:
    store float %sum, ptr addrspace(1) %a
    ret void)";
  };
  test::KernelText Known(Parameters, triangle("9"));
  EXPECT_FLOAT_EQ(issued(Known, "test"), 0);
  EXPECT_FLOAT_EQ(issued(Known, "loop"), 2 + 2 / 36.0f);
  test::KernelText Unknown(Parameters, triangle("%n"));
  EXPECT_GT(issued(Unknown, "test"), 0.4f);
}

/// Steps that are halved are constants, too, and barriers between the rounds
/// keep nvcc from nothing (bank-reduction, nvcc 13).
TEST_F(BlockScheduleTest, LoopsWithBarriersAreWrittenOut) {
  const auto halving = [](const std::string &From) {
    return R"(
  entry:
    br label %loop
  loop:
    %step = phi i32 [ )" +
           From + R"(, %entry ], [ %half, %next ]
    %takes = icmp slt i32 %first, %step
    br i1 %takes, label %add, label %next
  add:
    %index = add nsw i32 %first, %step
    %wide = sext i32 %index to i64
    %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
    %v = load float, ptr addrspace(1) %at
    store float %v, ptr addrspace(1) %a
    br label %next
  next:
    call void @llvm.nvvm.barrier0()
    %half = lshr i32 %step, 1
    %again = icmp ne i32 %half, 0
    br i1 %again, label %loop, label %end
  end:
    ret void)";
  };
  const char *Barrier = "declare void @llvm.nvvm.barrier0() convergent\n";
  test::KernelText Known(Parameters, halving("128"), Barrier);
  EXPECT_FLOAT_EQ(issued(Known, "next"), 1) << "the barrier";
  EXPECT_FLOAT_EQ(issued(Known, "add"), 2 + 2 / 8.0f);
  test::KernelText Unknown(Parameters, halving("%n"), Barrier);
  EXPECT_FLOAT_EQ(issued(Unknown, "next"), 4);
}

/// A sum of 32 bits without sign may wrap before it becomes an address: nvcc
/// computes it, and all of the address, in each round (image-turned-bytes).
TEST_F(BlockScheduleTest, SumsThatMayWrapDoNotFitIntoAddresses) {
  const auto ofSum = [](const std::string &Sum, const std::string &Widened,
                        const std::string &Type) {
    test::KernelText Text(
        Parameters, R"(
  entry:
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %index = )" + Sum + " i32 %i, %first\n%wide = " +
                        Widened + " i32 %index to i64\n%at = getelementptr " +
                        Type + ", ptr addrspace(1) %a, i64 %wide\nstore " +
                        Type + " 1, ptr addrspace(1) %at\n" + R"(
    %next = add nsw i32 %i, 1
    %again = icmp slt i32 %next, 8
    br i1 %again, label %loop, label %end
  end:
    ret void)");
    return issued(Text, "loop");
  };
  EXPECT_FLOAT_EQ(ofSum("add nsw", "sext", "i32"), 1 + 2 / 8.0f);
  EXPECT_FLOAT_EQ(ofSum("add nuw", "zext", "i32"), 1 + 2 / 8.0f);
  EXPECT_FLOAT_EQ(ofSum("add", "zext", "i32"), 1 + 2);
  EXPECT_FLOAT_EQ(ofSum("add", "zext", "i8"), 1 + 3);
}

/// out[0] = *a; out[1] = *b: the second load waits for the first store where
/// the arguments may lead to one place, and so does the second store.
TEST_F(BlockScheduleTest, StoresFollowTheLoadsThatTheyWaitFor) {
  const auto apart = [](const std::string &First, const std::string &Second) {
    test::KernelText Text("ptr addrspace(1) %a, ptr addrspace(1) %b, "
                          "ptr addrspace(1) %out",
                          "entry:\n" + First + Second + "\nret void");
    std::vector<unsigned> After;
    const BlockSchedule S = schedule(Text, "entry");
    for (const Instruction &I : Text.kernel().getEntryBlock())
      if (isa<StoreInst>(I))
        After.push_back(S.Stores.lookup(&I).Rank);
    return std::vector<unsigned>(After);
  };
  const std::string LoadA = "%x = load float, ptr addrspace(1) %a\n",
                    LoadB = "%y = load float, ptr addrspace(1) %b\n",
                    StoreA = "store float %x, ptr addrspace(1) %out\n",
                    StoreB = "%next = getelementptr float, ptr addrspace(1) "
                             "%out, i32 1\nstore float %y, ptr addrspace(1) "
                             "%next\n";
  EXPECT_EQ(apart(LoadA + LoadB, StoreA + StoreB),
            (std::vector<unsigned>{1, 1}));
  EXPECT_EQ(apart(LoadA + StoreA, LoadB + StoreB),
            (std::vector<unsigned>{1, 2}));
}

/// Four words side by side are one load also where a loop within takes the next
/// row in each round.
TEST_F(BlockScheduleTest, WideLoadsServeRoundsOfTheOuterLoop) {
  const auto served = [](const std::string &Outer) {
    test::KernelText Text(Parameters,
                          sumOfBoth(Outer, "%row = mul nsw i32 %i, 32\n"
                                           "%index = add nsw i32 %row, %j"));
    return schedule(Text, "loop")
        .Waits.lookup(Text.instruction("v"))
        .RoundsAtOnce;
  };
  EXPECT_EQ(served("8"), 4u);
  EXPECT_EQ(served("%n"), 1u);
}

/// The rounds of a loop in parts, if all loops in it are written out as a whole
/// (byte-product-pitch-17, nvcc 13).
TEST_F(BlockScheduleTest, WideLoadsServeRoundsOfAPartlyUnrolledLoop) {
  std::string Body = sumOfBoth("%n", "%row = mul nsw i32 %i, 32\n"
                                     "%index = add nsw i32 %row, %j");
  const std::string Branch = "label %outer, label %end";
  Body.insert(Body.find(Branch) + Branch.size(), ", !llvm.loop !1");
  test::KernelText Text(Parameters, Body,
                        "!1 = distinct !{!1, !2}\n"
                        "!2 = !{!\"llvm.loop.unroll.count\", i32 4}\n");
  EXPECT_EQ(
      schedule(Text, "loop").Waits.lookup(Text.instruction("v")).RoundsAtOnce,
      4u);
}

/// Whether nvcc goes without a branch around "if (%first < %n) { ... }".
TEST_F(BlockScheduleTest, ShortBodiesAreSwitchedOff) {
  const auto isSwitchedOff = [](const std::string &Body) {
    test::KernelText Text(Parameters, R"(
  entry:
    %on = icmp slt i32 %first, %n
    br i1 %on, label %then, label %end
  then:
    %v0 = load float, ptr addrspace(3) @part
)" + Body + R"(
    store float %r, ptr addrspace(3) @part
    br label %end
  end:
    ret void)",
                          "@part = internal addrspace(3) global float undef\n");
    const BlockSchedule Its = schedule(Text, "then");
    for (const BasicBlock &Block : Text.kernel())
      if (Block.getName() == "then")
        return isPredicated(Block, Its);
    return false;
  };
  const auto products = [](unsigned Count) {
    std::string Text;
    for (unsigned N = 0; N != Count; ++N)
      Text += "    %" + (N + 1 == Count ? "r" : "v" + std::to_string(N + 1)) +
              " = fmul float %v" + std::to_string(N) + ", 3.0\n";
    return Text;
  };
  EXPECT_TRUE(isSwitchedOff(products(1)));
  EXPECT_TRUE(isSwitchedOff(products(6)));
  EXPECT_FALSE(isSwitchedOff(products(8)));
  EXPECT_FALSE(isSwitchedOff("    %g = load float, ptr addrspace(1) %a\n"
                             "    %r = fadd float %v0, %g\n"))
      << "global memory";
  EXPECT_FALSE(isSwitchedOff("    %r = fdiv float %v0, 3.5\n"))
      << "a branch of its own";
}

/// InstCombine writes a sum whose operands share no bit as "or".
TEST_F(BlockScheduleTest, ADisjointOrIsASum) {
  const auto ofIndex = [](const std::string &Opcode) {
    test::KernelText Text(Parameters,
                          sumOfBoth("%n", "%one = " + Opcode +
                                              " i32 %j, %i\n"
                                              "%index = mul i32 %one, 96"));
    return issued(Text, "loop");
  };
  EXPECT_FLOAT_EQ(ofIndex("or disjoint"), ofIndex("add nsw"));
  EXPECT_GT(ofIndex("or"), ofIndex("add nsw"));
}

/// What a call of \p Name with a number of type \p T issues, by pipe.
std::array<float, 3> issuedByCall(const std::string &Name, Type *T) {
  Module M("math", T->getContext());
  const FunctionCallee Callee = M.getOrInsertFunction("__nv_" + Name, T, T);
  auto *F = Function::Create(FunctionType::get(T, {T}, false),
                             GlobalValue::ExternalLinkage, "f", M);
  IRBuilder<> Builder(BasicBlock::Create(T->getContext(), "entry", F));
  const Price P = priceOf(*Builder.CreateCall(Callee, {F->getArg(0)}));
  EXPECT_EQ(P.Where, T->isDoubleTy() ? Pipe::Double : Pipe::Single);
  return {P.Count, P.Special, P.Others};
}

/// Who follows a list waits for each node, but not where the loop counts it.
TEST_F(BlockScheduleTest, ListsAreFollowedNodeByNode) {
  const auto timesOf = [](const std::string &Next) {
    test::KernelText Text("ptr addrspace(1) noalias readonly %a, i32 %n", R"(
    entry:
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %more, %loop ]
      %node = phi i32 [ 0, %entry ], [ %v, %loop ]
      %sum = add i32 %node, 1
      %wide = sext i32 )" + Next + R"( to i64
      %at = getelementptr i32, ptr addrspace(1) %a, i64 %wide
      %v = load i32, ptr addrspace(1) %at
      %more = add nuw nsw i32 %i, 1
      %again = icmp ult i32 %more, %n
      br i1 %again, label %loop, label %end
    end:
      ret void)");
    const BlockSchedule S = schedule(Text, "loop");
    EXPECT_EQ(S.Waits.size(), 1u);
    return S.Waits.begin()->second.Times;
  };
  EXPECT_EQ(timesOf("%node"), 1);
  EXPECT_EQ(timesOf("%sum"), 1);
  EXPECT_EQ(timesOf("%i"), 1 / 16.f);
}

/// Of a loop around one that is written out, 16 rounds are written out at a
/// time; addresses grow by constants all the way.
TEST_F(BlockScheduleTest, RoundsAroundAWholeLoopAreWrittenOutInParts) {
  const auto inLoop = [](const std::string &Rounds) {
    test::KernelText Text(
        "ptr addrspace(1) noalias readonly %a, ptr addrspace(1) %out", R"(
    entry:
      br label %outer
    outer:
      %i = phi i32 [ 0, %entry ], [ %after, %last ]
      %total = phi float [ 0.0, %entry ], [ %more, %last ]
      %row = mul nuw nsw i32 %i, 1024
      br label %inner
    inner:
      %j = phi i32 [ 0, %outer ], [ %next, %inner ]
      %sum = phi float [ %total, %outer ], [ %more, %inner ]
      %index = add nuw nsw i32 %row, %j
      %wide = zext nneg i32 %index to i64
      %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
      %v = load float, ptr addrspace(1) %at
      %more = fadd float %sum, %v
      %next = add nuw nsw i32 %j, 1
      %again = icmp ult i32 %next, 3
      br i1 %again, label %inner, label %last
    last:
      %after = add nuw nsw i32 %i, 1
      %on = icmp ult i32 %after, )" + Rounds + R"(
      br i1 %on, label %outer, label %end
    end:
      store float %more, ptr addrspace(1) %out
      ret void)");
    return issued(Text, "inner") + issued(Text, "last") / 3;
  };
  // A load, a sum, and hardly anything else.
  EXPECT_NEAR(inLoop("192"), 2.1, 0.15);
  EXPECT_GT(inLoop("191"), 2.4) << "191 is prime";
}

/// As counted on an H200. "erf" does not end with the letter of a float.
TEST(InstructionPriceTest, FunctionsOfTheMathLibrary) {
  using Counted = std::array<float, 3>;
  LLVMContext Context;
  Type *Single = Type::getFloatTy(Context),
       *Double = Type::getDoubleTy(Context);
  EXPECT_EQ(issuedByCall("logf", Single), (Counted{14, 0, 12}));
  EXPECT_EQ(issuedByCall("log", Double), (Counted{30, 1, 56}));
  EXPECT_EQ(issuedByCall("erff", Single), (Counted{11, 1, 15}));
  EXPECT_EQ(issuedByCall("erf", Double), (Counted{41, 5, 78}));
}

/// What \p Body issues in all, but for its return.
float issuedBy(const std::string &Body, const std::string &Declared = "") {
  test::KernelText Text("i32 %a, i32 %b, i32 %c, i64 %w, float %f, double %d",
                        "entry:\n" + Body + "\nret void", Declared);
  float Sum = 0;
  for (const Instruction &I : Text.kernel().getEntryBlock()) {
    const Price P = priceOf(I);
    if (!I.isTerminator())
      Sum += P.Count + P.Special + P.Others;
  }
  return Sum;
}

/// One instruction takes up to three numbers, and one product.
TEST(InstructionPriceTest, ThreeNumbersAtOnce) {
  EXPECT_EQ(issuedBy("%x = add i32 %a, %b\n%y = add i32 %x, %c"), 1);
  EXPECT_EQ(issuedBy("%x = add i32 %a, %b\n%y = add i32 %x, %c\n"
                     "%z = add i32 %y, 7\n%u = xor i32 %z, %a"),
            3)
      << "a sum of three, one more, and no logic in it";
  EXPECT_EQ(issuedBy("%x = and i32 %a, %b\n%y = xor i32 %x, %c"), 1);
  EXPECT_EQ(issuedBy("%x = mul i32 %a, %b\n%y = add i32 %x, %c"), 1);
  EXPECT_EQ(issuedBy("%x = fmul float %f, 3.0\n%y = fmul float %f, %f\n"
                     "%z = fadd float %x, %y"),
            2)
      << "one product of the two";
  EXPECT_EQ(issuedBy("%x = icmp eq i32 %a, %b\n%y = icmp eq i32 %b, %c\n"
                     "%z = and i1 %x, %y"),
            2);
}

/// Read off cubins of nvcc 13: the sign is added before a shift.
TEST(InstructionPriceTest, PowersOfTwoWithSign) {
  EXPECT_EQ(issuedBy("%x = sdiv i32 %a, 32"), 3);
  EXPECT_EQ(issuedBy("%x = sdiv i32 %a, 32\n%y = add i32 %x, %b"), 3)
      << "the sum shifts it";
  EXPECT_EQ(issuedBy("%x = srem i32 %a, 32"), 4);
  EXPECT_EQ(issuedBy("%x = udiv i32 %a, 32"), 1);
}

/// Sums take an instruction for each word, a product of halves takes one up,
/// and words that only move take none.
TEST(InstructionPriceTest, NumbersOfSeveralWords) {
  const std::string Halves =
      "%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n"
      "%p = mul i64 %x, %y\n";
  EXPECT_EQ(issuedBy(Halves), 1);
  EXPECT_EQ(issuedBy(Halves + "%z = add i64 %p, %w"), 1) << "IMAD.WIDE";
  EXPECT_EQ(issuedBy("%p = mul i64 %w, %w"), 3);
  EXPECT_EQ(issuedBy("%z = add i64 %w, %w"), 2);
  EXPECT_EQ(issuedBy("%x = zext i64 %w to i128\n%z = add i128 %x, %x"), 4);
  EXPECT_EQ(issuedBy("%h = lshr i64 %w, 32"), 0);
  EXPECT_EQ(issuedBy("%h = lshr i64 %w, 31"), 2);
  EXPECT_EQ(issuedBy("%h = lshr i32 %a, 32"), 1) << "no word of a longer one";
  EXPECT_EQ(issuedBy("%x = zext i32 %a to i64\n%y = zext i32 %b to i64\n"
                     "%h = shl i64 %x, 32\n%z = or i64 %h, %y"),
            0)
      << "two registers side by side";
}

/// As counted on an H200.
TEST(InstructionPriceTest, FunctionsOfWholeNumbers) {
  const auto ofCall = [](const std::string &Name, unsigned Numbers) {
    std::string Types, Values;
    for (unsigned N = 0; N != Numbers; ++N) {
      Types += N ? ", i32" : "i32";
      Values += N ? ", i32 %b" : "i32 %a";
    }
    return issuedBy("%x = call i32 @__nv_" + Name + "(" + Values + ")",
                    "declare i32 @__nv_" + Name + "(" + Types + ")\n");
  };
  EXPECT_EQ(ofCall("byte_perm", 3), 1);
  EXPECT_EQ(ofCall("brev", 1), 1);
  EXPECT_EQ(ofCall("ffs", 1), 3);
  EXPECT_EQ(ofCall("umulhi", 2), 1);
  EXPECT_EQ(ofCall("rhadd", 2), 4);
  EXPECT_EQ(issuedBy("%x = call i32 @__nv_float2int_rn(float %f)",
                     "declare i32 @__nv_float2int_rn(float)\n"),
            1);
  EXPECT_EQ(issuedBy("%x = call i32 @__nv_float_as_int(float %f)",
                     "declare i32 @__nv_float_as_int(float)\n"),
            0);
  EXPECT_EQ(issuedBy("%x = call float @__nv_fmul_rn(float %f, float %f)",
                     "declare float @__nv_fmul_rn(float, float)\n"),
            1);
  EXPECT_EQ(issuedBy("%x = call float @__nv_frcp_rn(float %f)",
                     "declare float @__nv_frcp_rn(float)\n"),
            9);
  EXPECT_EQ(issuedBy("%x = call double @__nv_fmax(double %d, double %d)",
                     "declare double @__nv_fmax(double, double)\n"),
            9);
  EXPECT_EQ(issuedBy("%x = call float @__nv_fast_expf(float %f)",
                     "declare float @__nv_fast_expf(float)\n"),
            5);
  // Half of what a sincos issues.
  EXPECT_EQ(
      issuedBy("%x = call float @__nv_sinf(float %f) \"warpwise-one-of-two\"",
               "declare float @__nv_sinf(float)\n"),
      15.5);
}

/// Two or four numbers in a word, through the functions that they stand in.
TEST(InstructionPriceTest, OperationsOfSeveralNumbersInAWord) {
  const auto ofAsm = [](const std::string &Text) {
    return issuedBy("%x = call i32 asm \"" + Text +
                    " $0,$1,$2,$3;\", \"=r,r,r,r\"(i32 %a, i32 %b, i32 0)");
  };
  EXPECT_EQ(ofAsm("vadd2.u32.u32.u32"), 1);
  EXPECT_EQ(ofAsm("vadd4.u32.u32.u32"), 3);
  EXPECT_EQ(ofAsm("vadd4.u32.u32.u32.sat"), 6);
  EXPECT_EQ(ofAsm("vset4.u32.u32.eq"), 4);
  EXPECT_EQ(ofAsm("vabsdiff4.u32.u32.u32.add"), 1);
  EXPECT_EQ(ofAsm("vabsdiff2.u32.u32.u32"), 9);
  EXPECT_EQ(ofAsm("dp4a.u32.u32"), 1);
}

/// out = f(*a) and *b, where f is \p Result: after how many waits b is loaded.
unsigned rankBehind(const std::string &Result, const std::string &Type) {
  test::KernelText Text("ptr addrspace(1) %a, ptr addrspace(1) %b",
                        "entry:\n%x = load " + Type +
                            ", ptr addrspace(1) %a\n%y = " + Result +
                            "\n%z = load " + Type +
                            ", ptr addrspace(1) %b\n"
                            "store " +
                            Type +
                            " %y, ptr addrspace(1) %a\n"
                            "store " +
                            Type +
                            " %z, ptr addrspace(1) %b\n"
                            "ret void",
                        "declare float @llvm.sqrt.f32(float)\n"
                        "declare double @llvm.sqrt.f64(double)\n"
                        "declare float @__nv_sinf(float)\n"
                        "declare float @__nv_fast_sinf(float)\n"
                        "declare float @__nv_expf(float)\n"
                        "declare double @__nv_exp(double)\n");
  const BlockSchedule S =
      scheduleBlock(Text.kernel().getEntryBlock(), nullptr, Unrolling());
  return S.Waits.lookup(Text.instruction("z")).Rank;
}

/// In code of nvcc 13 for sm_90 a precise quotient is a branch, and the load
/// that is written behind it stays there.
TEST(SlowPathTest, NoLoadMovesOverIt) {
  EXPECT_EQ(rankBehind("fmul float %x, 3.0", "float"), 0u);
  EXPECT_EQ(rankBehind("fdiv float 1.0, %x", "float"), 1u);
  EXPECT_EQ(rankBehind("fdiv float %x, 3.0", "float"), 1u);
  EXPECT_EQ(rankBehind("fdiv afn float 1.0, %x", "float"), 0u);
  EXPECT_EQ(rankBehind("fdiv double %x, 3.0", "double"), 1u);
  EXPECT_EQ(rankBehind("call float @llvm.sqrt.f32(float %x)", "float"), 1u);
  EXPECT_EQ(rankBehind("call double @llvm.sqrt.f64(double %x)", "double"), 1u);
  EXPECT_EQ(rankBehind("call float @__nv_sinf(float %x)", "float"), 1u);
  EXPECT_EQ(rankBehind("call float @__nv_fast_sinf(float %x)", "float"), 0u);
  EXPECT_EQ(rankBehind("call float @__nv_expf(float %x)", "float"), 0u);
  EXPECT_EQ(rankBehind("call double @__nv_exp(double %x)", "double"), 1u);
  EXPECT_EQ(rankBehind("udiv i32 %x, 10", "i32"), 0u);
  EXPECT_EQ(rankBehind("udiv i64 77, %x", "i64"), 1u);
  EXPECT_EQ(rankBehind("udiv i64 %x, 10", "i64"), 0u);
}

/// Loads of small branches, each for the lanes that want it, are under way
/// together, but not what the branch stores.
TEST_F(BlockScheduleTest, RoundsOverlapThatSwitchLanesOff) {
  const auto timesWaited = [](const std::string &Body) {
    test::KernelText Text("ptr addrspace(1) noalias readonly %a, "
                          "ptr addrspace(1) noalias readonly %b, "
                          "ptr addrspace(1) noalias %out, i32 %first",
                          R"(
    entry:
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %more, %next ]
      %sum = phi float [ 0.0, %entry ], [ %total, %next ]
      %wide = sext i32 %i to i64
      %at = getelementptr i32, ptr addrspace(1) %a, i64 %wide
      %v = load i32, ptr addrspace(1) %at
      %on = icmp ne i32 %v, %first
      br i1 %on, label %then, label %next
    then:
      %where = sext i32 %v to i64
      %from = getelementptr float, ptr addrspace(1) %b, i64 %where
)" + Body + R"(
      %added = fadd float %sum, %x
      br label %next
    next:
      %total = phi float [ %sum, %loop ], [ %added, %then ]
      %more = add nuw nsw i32 %i, 1
      %again = icmp ult i32 %more, 7
      br i1 %again, label %loop, label %end
    end:
      store float %total, ptr addrspace(1) %out
      ret void)");
    return schedule(Text, "loop").Waits.lookup(Text.instruction("v")).Times;
  };
  const std::string Load = "      %x = load float, ptr addrspace(1) %from\n";
  EXPECT_FLOAT_EQ(timesWaited(Load), 1 / 7.f);
  EXPECT_FLOAT_EQ(
      timesWaited(Load + "      store float %x, ptr addrspace(1) %out\n"), 1);
}

/// Nor do rounds of a loop overlap that has one in each of them.
TEST_F(BlockScheduleTest, RoundsThatDivideWaitForEachOther) {
  const auto timesWaited = [](const std::string &Use) {
    std::string Body = sumOfColumn("%n");
    const std::string Sum = "fadd float %sum, %v";
    Body.replace(Body.find(Sum), Sum.size(), Use);
    test::KernelText Text(Parameters, Body);
    return schedule(Text, "loop").Waits.lookup(Text.instruction("v")).Times;
  };
  EXPECT_FLOAT_EQ(timesWaited("fadd float %sum, %v"), 0.25f);
  EXPECT_FLOAT_EQ(timesWaited("fdiv float %sum, %v"), 1);
  EXPECT_FLOAT_EQ(timesWaited("fdiv afn float %sum, %v"), 0.25f);
}

/// What does not hang on each other is divided one after the other, too.
TEST_F(BlockScheduleTest, BranchesOfQuotientsFollowEachOther) {
  const auto steps = [](const std::string &Divide) {
    test::KernelText Text("ptr %a, float %x, float %y",
                          "entry:\n%p = " + Divide +
                              " float 1.0, %x\n%q = " + Divide +
                              " float 1.0, %y\n%r = fadd float %p, %q\n"
                              "store float %r, ptr %a\nret void");
    return schedule(Text, "entry").ChainSteps;
  };
  EXPECT_GT(steps("fdiv"), 1.5f * steps("fdiv afn"));
}

TEST_F(BlockScheduleTest, PrivateArraysArePricedByThemselves) {
  test::KernelText Text("ptr addrspace(1) %a, i32 %n", R"(
    %array = alloca [16 x float]
    %at = getelementptr float, ptr %array, i32 %n
    store float 1.0, ptr %at
    ret void)");
  // The two of every kernel and its pointer's; the address; the return.
  EXPECT_FLOAT_EQ(issued(Text, ""), 2 + 1 + 1);
}

class JoinedAtomicsTest : public testing::Test {
protected:
  /// atomic<\p Op>(\p Where, \p What); whether nvcc makes one of a warp's.
  static bool joins(const std::string &Op, const std::string &Where,
                    const std::string &What, bool IsUsed = false) {
    test::KernelText Text(
        "ptr addrspace(1) %a, i32 %n, i64 %wide, float %f",
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "  %own = getelementptr i32, ptr addrspace(1) %a, i32 %t\n"
        "  %blocks = getelementptr i32, ptr addrspace(1) %a, i32 %b\n"
        "  %data = load i32, ptr addrspace(1) %own\n"
        "  %data64 = sext i32 %data to i64\n"
        "  %it = atomicrmw " +
            Op + " ptr addrspace(1) " + Where + ", " + What + " monotonic\n" +
            (IsUsed ? "  store i32 %it, ptr addrspace(1) %own\n" : "") +
            "  ret void",
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n");
    DominatorTree Dominators(Text.kernel());
    return isJoined(*Text.instruction("it"), llvm::LoopInfo(Dominators));
  }
};

/// All of them read off cubins of nvcc 13 for sm_90.
TEST_F(JoinedAtomicsTest, IntegersAtOnePlace) {
  EXPECT_TRUE(joins("add", "%a", "i32 1"));
  EXPECT_TRUE(joins("add", "%blocks", "i32 %data"));
  EXPECT_TRUE(joins("add", "%a", "i32 %data", /*IsUsed=*/true));
  EXPECT_TRUE(joins("max", "%a", "i32 %data"));
  EXPECT_TRUE(joins("add", "%a", "i64 %wide"));
}

/// A place that the rounds of a loop count is one for all lanes.
TEST(JoinedAtomicsOfLoopsTest, OnePlaceInEachRound) {
  test::KernelText Text("ptr addrspace(1) %a, ptr addrspace(1) %in", R"(
    entry:
      %data = load i32, ptr addrspace(1) %in
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %next, %loop ]
      %at = getelementptr i32, ptr addrspace(1) %a, i32 %i
      %it = atomicrmw max ptr addrspace(1) %at, i32 %data monotonic
      %next = add i32 %i, 1
      %more = icmp ult i32 %next, 6
      br i1 %more, label %loop, label %end
    end:
      ret void)");
  DominatorTree Dominators(Text.kernel());
  EXPECT_TRUE(isJoined(*Text.instruction("it"), llvm::LoopInfo(Dominators)));
}

TEST_F(JoinedAtomicsTest, ButNotTheOthers) {
  EXPECT_FALSE(joins("add", "%own", "i32 1"));
  EXPECT_FALSE(joins("add", "%a", "i64 %data64"));
  EXPECT_FALSE(joins("fadd", "%a", "float %f"));
  EXPECT_FALSE(joins("xchg", "%a", "i32 1"));
  EXPECT_FALSE(joins("uinc_wrap", "%a", "i32 1000"));
  EXPECT_FALSE(joins("max", "%a", "i32 %data", /*IsUsed=*/true));
}

/// The uses of private arrays in a kernel that has no loop.
auto usesWithoutLoops(Function &F) {
  DominatorTree Dominators(F);
  return privateUses(F, llvm::LoopInfo(Dominators), UnrolledLoops());
}

/// Lanes that agree move a line; those that do not, one for each element that
/// some of them want.
TEST(PrivateUsesTest, LocalMemoryIsInterleavedByLane) {
  test::KernelText Text("ptr addrspace(1) %a, i32 %n", R"(
    %array = alloca [8 x float]
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %same = getelementptr float, ptr %array, i32 %n
    store float 1.0, ptr %same
    %own = getelementptr float, ptr %array, i32 %t
    %v = load float, ptr %own
    store float %v, ptr addrspace(1) %a
    ret void)",
                        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n");
  const auto Uses = usesWithoutLoops(Text.kernel());
  ASSERT_EQ(Uses.size(), 2u);
  EXPECT_EQ(Uses[0].Op, Operation::Store);
  EXPECT_FALSE(Uses[0].LanesDiffer);
  EXPECT_EQ(costOf(Uses[0], 10, 5, 32).Sectors, 4);
  EXPECT_EQ(costOf(Uses[0], 10, 5, 32).PerWarp, 2);
  EXPECT_EQ(Uses[1].Op, Operation::Load);
  EXPECT_TRUE(Uses[1].LanesDiffer);
  const Cost Different = costOf(Uses[1], 10, 5, 32);
  // 8 (1 - (7/8)^8) sectors in each of four columns, 8 (1 - (7/8)^32) lines.
  EXPECT_NEAR(*Different.Sectors, 21.0, 0.1);
  EXPECT_NEAR(Different.Lines, 7.89, 0.01);
}

/// A warp that goes one way together has one index behind it, other than one
/// whose lanes part.
TEST(PrivateUsesTest, LanesAgreeBehindABranchOfTheWarp) {
  const auto differ = [](const std::string &Decides) {
    test::KernelText Text("ptr addrspace(1) %a, i32 %n", R"(
    entry:
      %array = alloca [8 x float]
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %c = icmp ult i32 )" + Decides + R"(, 7
      br i1 %c, label %one, label %other
    one:
      %p = add i32 %n, 3
      br label %end
    other:
      br label %end
    end:
      %i = phi i32 [ %p, %one ], [ %n, %other ]
      %at = getelementptr float, ptr %array, i32 %i
      store float 1.0, ptr %at
      ret void)",
                          "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n");
    const auto Uses = usesWithoutLoops(Text.kernel());
    return Uses.size() == 1 && Uses[0].LanesDiffer;
  };
  EXPECT_FALSE(differ("%n"));
  EXPECT_TRUE(differ("%t"));
}

/// Of a matrix in which lanes choose a row, each wants one of as many elements
/// as there are rows; of bytes, one of the words.
TEST(PrivateUsesTest, LanesChooseAmongWhatDiffers) {
  test::KernelText Text("ptr addrspace(1) %a", R"(
    %matrix = alloca [4 x [5 x double]]
    %letters = alloca [64 x i8]
    %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    %row = getelementptr [4 x [5 x double]], ptr %matrix, i32 0, i32 %t, i32 2
    store double 1.0, ptr %row
    %letter = getelementptr [64 x i8], ptr %letters, i32 0, i32 %t
    %v = load i8, ptr %letter
    store i8 %v, ptr addrspace(1) %a
    ret void)",
                        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n");
  const auto Uses = usesWithoutLoops(Text.kernel());
  ASSERT_EQ(Uses.size(), 2u);
  EXPECT_EQ(Uses[0].Elements, 4);
  EXPECT_EQ(Uses[1].Elements, 16);
  EXPECT_EQ(Uses[1].AtOnce, 1u) << "a load";
}

/// Four bytes that a loop writes side by side are one word where the loop is
/// written out, and four stores where it is not.
TEST(PrivateUsesTest, BytesSideBySideAreWords) {
  const auto atOnce = [](const std::string &Rounds) {
    test::KernelText Text("ptr addrspace(1) %a, i32 %n", R"(
    entry:
      %letters = alloca [64 x i8]
      br label %loop
    loop:
      %i = phi i32 [ 0, %entry ], [ %next, %loop ]
      %further = add i32 %i, 26
      %at = getelementptr [64 x i8], ptr %letters, i32 0, i32 %further
      store i8 65, ptr %at
      %next = add i32 %i, 1
      %more = icmp ult i32 %next, )" + Rounds + R"(
      br i1 %more, label %loop, label %end
    end:
      ret void)");
    Function &F = Text.kernel();
    DominatorTree Dominators(F);
    llvm::LoopInfo Loops(Dominators);
    const auto Uses =
        privateUses(F, Loops, unrolledLoops(F, Dominators, Loops));
    return Uses.size() == 1 ? Uses[0].AtOnce : 0;
  };
  EXPECT_EQ(atOnce("26"), 4u);
  EXPECT_EQ(atOnce("%n"), 1u);
}

} // namespace
} // namespace warpwise::access
