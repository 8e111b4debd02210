//===- WaitLoops.cpp - Loops that wait for other threads ------------------===//

#include "analyzer/reuse/lanecode/WaitLoops.h"

#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace warpwise::lowering;

namespace warpwise::reuse {
namespace {

/// Sees what other threads write: volatile, atomic.
bool asksMemory(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isVolatile() || Load->isAtomic();
  if (auto *Call = dyn_cast<CallInst>(&I))
    if (const Function *Callee = Call->getCalledFunction())
      return nvidiaMemory(Callee->getName()) == NvidiaMemory::Atomic;
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
}

const Value *addressOf(const Instruction &I) {
  if (auto *Modify = dyn_cast<AtomicRMWInst>(&I))
    return Modify->getPointerOperand();
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return Swap->getPointerOperand();
  return I.getOperand(0);
}

/// Does nothing but take time or order accesses.
bool isHarmlessCall(const CallInst &Call) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    const std::string Text = withoutComments(Assembly->getAsmString());
    return all_of(ptxStatements(Text), [](const PtxStatement &S) {
      return !mayAccessGlobal(S) && S.Words[0] != "st" &&
             !S.Words[0].starts_with("bar");
    });
  }
  const Function *Callee = Call.getCalledFunction();
  const StringRef Name = Callee ? Callee->getName() : "";
  return isa<DbgInfoIntrinsic>(Call) || Name.starts_with("llvm.nvvm.membar") ||
         Name.contains("nanosleep") || Name.contains(".fence") ||
         !Call.mayReadOrWriteMemory();
}

/// The same in each round, even if it is computed there.
bool isInvariant(const Value *V, const Loop &L, unsigned Depth = 0) {
  constexpr unsigned MostSteps = 8;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  return Depth != MostSteps && !isa<PHINode>(I) && !I->mayReadOrWriteMemory() &&
         all_of(I->operands(), [&](const Value *Operand) {
           return isInvariant(Operand, L, Depth + 1);
         });
}

bool onlyWaits(const Loop &L) {
  bool Asks = false;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (asksMemory(I)) {
        if (!isInvariant(addressOf(I), L))
          return false;
        Asks = true;
      } else if (auto *Call = dyn_cast<CallInst>(&I)) {
        if (!isHarmlessCall(*Call))
          return false;
      } else if (!isa<FenceInst>(I) && I.mayReadOrWriteMemory()) {
        return false;
      }
    }
  return Asks;
}

/// Whether \p Condition is made in \p L of what memory answered.
bool dependsOnAnswer(Value *Condition, const Loop &L) {
  SetVector<Instruction *> Made;
  auto add = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && L.contains(I))
      Made.insert(I);
  };
  add(Condition);
  for (unsigned N = 0; N != Made.size(); ++N) {
    if (asksMemory(*Made[N]))
      return true;
    for (Value *Operand : Made[N]->operands())
      add(Operand);
  }
  return false;
}

/// Goes out of \p L where that depends on what memory answers. False when there
/// is no such place.
bool end(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *Block : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        !dependsOnAnswer(Branch->getCondition(), L))
      continue;
    const bool FirstLeaves = !L.contains(Branch->getSuccessor(0));
    BasicBlock *Out = Branch->getSuccessor(FirstLeaves ? 0 : 1);
    BasicBlock *In = Branch->getSuccessor(FirstLeaves ? 1 : 0);
    if (Out == In)
      continue;
    In->removePredecessor(Block);
    BranchInst *Always = BranchInst::Create(Out, Branch->getIterator());
    Always->setDebugLoc(Branch->getDebugLoc());
    Branch->eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

void endWaitLoops(Function &F) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    for (Loop *L : Loops.getLoopsInPreorder())
      if (L->isInnermost() && onlyWaits(*L) && end(*L)) {
        Changed = true; // the loops are others now
        break;
      }
  }
}

} // namespace warpwise::reuse
