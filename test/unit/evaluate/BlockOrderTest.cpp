//===- BlockOrderTest.cpp - Loops together, exits after them --------------===//

#include "analyzer/lowering/BlockOrder.h"

#include "test/unit/evaluate/EmitKernel.h"
#include "test/unit/evaluate/Generator.h"
#include "test/unit/evaluate/KernelText.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include <map>

using namespace llvm;
using namespace warpwise::test;

namespace {

/// Checks what convergentOrder promises for any function.
void expectConvergent(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  const std::vector<BasicBlock *> Order =
      warpwise::lowering::convergentOrder(F, Loops);
  std::map<const BasicBlock *, size_t> Position;
  for (size_t N = 0; N != Order.size(); ++N)
    EXPECT_TRUE(Position.emplace(Order[N], N).second) << "listed twice";
  size_t Reachable = 0;
  for (BasicBlock *Block : depth_first(&F)) {
    ++Reachable;
    ASSERT_TRUE(Position.count(Block)) << "missing";
  }
  EXPECT_EQ(Order.size(), Reachable);
  ASSERT_EQ(Order.front(), &F.getEntryBlock());
  for (BasicBlock *Block : Order)
    for (BasicBlock *To : successors(Block))
      if (!Dominators.dominates(To, Block)) { // not back to a loop's header
        EXPECT_LT(Position[Block], Position[To]) << "an edge goes backwards";
      }
  for (Loop *L : Loops.getLoopsInPreorder()) {
    const size_t First = Position[L->getHeader()];
    for (BasicBlock *Block : L->blocks()) {
      EXPECT_GE(Position[Block], First);
      EXPECT_LT(Position[Block], First + L->getNumBlocks())
          << "the loop is torn apart";
    }
  }
}

TEST(BlockOrderTest, AnExitWaitsUntilTheLoopIsDone) {
  KernelText Text("i1 %a, i1 %b", R"(
  entry:
    br label %loop
  out:
    ret void
  left:
    br label %out
  loop:
    br i1 %a, label %left, label %latch
  latch:
    br i1 %b, label %loop, label %out)");
  Function &F = Text.kernel();
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  std::vector<std::string> Names;
  for (BasicBlock *Block : warpwise::lowering::convergentOrder(F, Loops))
    Names.push_back(Block->getName().str());
  EXPECT_EQ(Names, (std::vector<std::string>{"entry", "loop", "latch", "left",
                                             "out"}));
}

TEST(BlockOrderTest, UnreachableBlocksAreLeftOut) {
  KernelText Text("", R"(
    ret void
  dead:
    br label %dead)");
  expectConvergent(Text.kernel());
}

TEST(BlockOrderTest, NestedLoopsThatShareAnExit) {
  KernelText Text("i1 %a, i1 %b, i1 %c", R"(
  entry:
    br label %outer
  outer:
    br label %inner
  inner:
    br i1 %a, label %next, label %end
  next:
    br i1 %b, label %inner, label %latch
  latch:
    br i1 %c, label %outer, label %end
  end:
    ret void)");
  expectConvergent(Text.kernel());
}

TEST(BlockOrderTest, HoldsForGeneratedKernels) {
  LLVMContext Context;
  Module M("generated", Context);
  for (uint64_t Seed = 1; Seed != 400 && !HasFailure(); ++Seed) {
    const GeneratedKernel K = drawKernel(Seed);
    SCOPED_TRACE(toString(K));
    expectConvergent(*emitKernel(K, M).Function);
  }
}

} // namespace
