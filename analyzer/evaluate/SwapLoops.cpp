//===- SwapLoops.cpp - Loops around a compare-and-swap --------------------===//
//
// do {
//   Assumed = Old;
//   Old = atomicCAS(Word, Assumed, bits(number(Assumed) + Value));
// } while (Old != Assumed);
//
// CUDA had no atomic addition of doubles before compute capability 6.0, and
// has no atomic maximum of floats to this day: programs make loops of them.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/SwapLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace warpwise::access {
namespace {

/// Without the bits being read as another type.
const Value &withoutBitcasts(const Value &V) {
  const Value *Bits = &V;
  while (const auto *Cast = dyn_cast<BitCastInst>(Bits))
    Bits = Cast->getOperand(0);
  return *Bits;
}

/// Nothing that the word held, or another thread's memory, has a part in it.
bool isSettled(const Value &V, const Loop &L, unsigned Depth = 0) {
  constexpr unsigned MostSteps = 8;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I))
    return true;
  return Depth != MostSteps && !isa<PHINode>(I) && !I->mayReadOrWriteMemory() &&
         all_of(I->operands(), [&](const Use &Operand) {
           return isSettled(*Operand, L, Depth + 1);
         });
}

/// What is made of two numbers.
SwapLoop kindOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
  case Instruction::Sub:
  case Instruction::FSub:
    return SwapLoop::Sum;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return SwapLoop::Bits;
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::smax:
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::umin:
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::nvvm_fmax_f:
  case Intrinsic::nvvm_fmax_d:
  case Intrinsic::nvvm_fmin_f:
  case Intrinsic::nvvm_fmin_d:
    return SwapLoop::Extreme;
  default:
    return SwapLoop::None;
  }
}

/// The greater or the less of \p Old and something settled.
bool isExtreme(const SelectInst &Choice, const Value &Old, const Loop &L) {
  const auto *Which = dyn_cast<CmpInst>(Choice.getCondition());
  if (!Which || Which->isEquality())
    return false;
  const auto isOld = [&Old](const Value *V) {
    return &withoutBitcasts(*V) == &Old;
  };
  const Value *Of[] = {Choice.getTrueValue(), Choice.getFalseValue()};
  const Value *By[] = {Which->getOperand(0), Which->getOperand(1)};
  if (isOld(Of[0]) == isOld(Of[1]) || isOld(By[0]) == isOld(By[1]))
    return false;
  const Value &New = withoutBitcasts(*Of[isOld(Of[0])]);
  return isSettled(New, L) && &New == &withoutBitcasts(*By[isOld(By[0])]);
}

/// What \p Next makes of \p Old.
SwapLoop madeOf(const Value &Next, const Value &Old, const Loop &L) {
  const auto *I = dyn_cast<Instruction>(&withoutBitcasts(Next));
  if (!I || !L.contains(I))
    return SwapLoop::None;
  if (const auto *Choice = dyn_cast<SelectInst>(I))
    return isExtreme(*Choice, Old, L) ? SwapLoop::Extreme : SwapLoop::None;
  const SwapLoop Kind = kindOf(*I);
  if (Kind == SwapLoop::None)
    return Kind;
  // "Value - Old" is no sum that adds to the word.
  const bool IsFirst = &withoutBitcasts(*I->getOperand(0)) == &Old;
  const bool IsSecond = &withoutBitcasts(*I->getOperand(1)) == &Old;
  if (IsFirst == IsSecond ||
      (IsSecond && !I->isCommutative() && !isa<IntrinsicInst>(I)))
    return SwapLoop::None;
  return isSettled(*I->getOperand(IsFirst ? 1 : 0), L) ? Kind : SwapLoop::None;
}

} // namespace

SwapLoop swapLoop(const Instruction &Atomic, const llvm::LoopInfo &Loops) {
  const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&Atomic);
  const Loop *L = Swap ? Loops.getLoopFor(Swap->getParent()) : nullptr;
  if (!L || !isSettled(*Swap->getPointerOperand(), *L))
    return SwapLoop::None;
  // In each round the word is taken to hold what the last swap has found there.
  const auto *Old = dyn_cast<PHINode>(Swap->getCompareOperand());
  const BasicBlock *Latch = L->getLoopLatch();
  if (!Old || !Latch || Old->getParent() != L->getHeader())
    return SwapLoop::None;
  const auto *Found =
      dyn_cast<ExtractValueInst>(Old->getIncomingValueForBlock(Latch));
  if (!Found || Found->getAggregateOperand() != Swap ||
      Found->getIndices()[0] != 0)
    return SwapLoop::None;
  // And nothing else happens to memory meanwhile.
  for (const BasicBlock *Block : L->blocks())
    for (const Instruction &I : *Block)
      if (&I != Swap && I.mayReadOrWriteMemory() && !isa<DbgInfoIntrinsic>(I))
        return SwapLoop::None;
  return madeOf(*Swap->getNewValOperand(), *Old, *L);
}

} // namespace warpwise::access
