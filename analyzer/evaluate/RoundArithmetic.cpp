//===- RoundArithmetic.cpp - Numbers from round to round of a loop --------===//

#include "analyzer/evaluate/RoundArithmetic.h"

#include "analyzer/evaluate/Unrolling.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {

bool isSum(const Instruction &I) {
  const auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
  return I.getOpcode() == Instruction::Add || (Or && Or->isDisjoint());
}

namespace {

/// Whether \p I computes the same in every round of \p L, so that it is moved
/// out of it. What \p IsGiven is there without being computed.
bool isInvariant(
    const Instruction &I, const Loop &L,
    DenseMap<const Instruction *, bool> &Known,
    function_ref<bool(const Instruction &)> IsGiven = [](const Instruction &) {
      return false;
    }) {
  if (!L.contains(&I) || IsGiven(I))
    return true;
  if (I.mayReadOrWriteMemory() || isa<PHINode>(I) || I.isTerminator())
    return false;
  if (const auto At = Known.find(&I); At != Known.end())
    return At->second;
  Known[&I] = false; // what hangs on itself is not invariant
  const bool Same = all_of(I.operands(), [&](const Use &U) {
    const auto *Operand = dyn_cast<Instruction>(U.get());
    return !Operand || isInvariant(*Operand, L, Known, IsGiven);
  });
  return Known[&I] = Same;
}

/// A function of its operands and of nothing else, such as a minimum.
bool isPlainIntrinsic(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && !Call->getCalledFunction()->getName().starts_with("llvm.nvvm");
}

} // namespace

Counting::Counting(const Loop *L, ArrayRef<unsigned> Whole)
    : L(L), IsWhole(!Whole.empty()) {
  if (Whole.size() > 1)
    Outer = std::make_unique<Counting>(L->getParentLoop(), Whole.drop_front());
}

bool Counting::isSame(const Instruction &I) {
  return isInvariant(I, *L, Invariant, [&](const Instruction &Of) {
    return Inside && Inside->isWrittenOut(&Of);
  });
}

Growth Counting::ofPhi(const PHINode &Phi) {
  const BasicBlock *Latch = L->getLoopLatch();
  if (Phi.getParent() != L->getHeader() || !Latch)
    return Growth::Unknown;
  const auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
  if (!Next || !isa<BinaryOperator, GetElementPtrInst>(Next) ||
      !is_contained(Next->operands(), &Phi))
    return Growth::Unknown;
  if (isa<BinaryOperator>(Next) && Next->getOpcode() != Instruction::Add &&
      Next->getOpcode() != Instruction::Sub)
    return Growth::Unknown;
  Growth By = Growth::Constant;
  for (const Value *Operand : Next->operands())
    if (Operand != &Phi && !isa<llvm::Constant>(Operand)) {
      const auto *I = dyn_cast<Instruction>(Operand);
      if (I && !isSame(*I))
        return Growth::Unknown;
      By = Growth::Even;
    }
  return By;
}

bool Counting::isFoldedPhi(const PHINode &Phi) {
  if (const auto At = Folds.find(&Phi); At != Folds.end())
    return At->second;
  const BasicBlock *Latch = L->getLoopLatch(), *Before = L->getLoopPreheader();
  if (Phi.getParent() != L->getHeader() || !Latch || !Before)
    return false;
  const Value *First = Phi.getIncomingValueForBlock(Before);
  if (!isa<llvm::Constant>(First) && !(Outer && Outer->isFoldedValue(First)))
    return false;
  Folds[&Phi] = true; // as far as it hangs on itself
  if (isFoldedValue(Phi.getIncomingValueForBlock(Latch)))
    return true;
  Folds.clear(); // what was found by that
  return Folds[&Phi] = false;
}

bool Counting::isFoldedValue(const Value *V) {
  if (isa<llvm::Constant>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || I->mayReadOrWriteMemory() || isa<AllocaInst>(I) ||
      (isa<CallInst>(I) && !isPlainIntrinsic(*I)))
    return false;
  if (!L->contains(I))
    return Outer && Outer->isFoldedValue(V);
  if (const auto *Phi = dyn_cast<PHINode>(I))
    return isFoldedPhi(*Phi);
  if (const auto At = Folds.find(I); At != Folds.end())
    return At->second;
  // What hangs on itself does so through a variable of the loop.
  const bool Folded = all_of(
      I->operands(), [&](const Use &U) { return isFoldedValue(U.get()); });
  return Folds[I] = Folded;
}

Growth Counting::compute(const Instruction &I) {
  if (isFolded(I))
    return Growth::Constant;
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return ofPhi(*Phi);
  switch (I.getOpcode()) {
  case Instruction::Or:
    if (!isSum(I))
      return Growth::Unknown;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::GetElementPtr: {
    Growth Most = Growth::None;
    for (const Value *Operand : I.operands())
      Most = std::max(Most, of(Operand));
    return Most;
  }
  case Instruction::Mul:
  case Instruction::Shl: {
    const Growth Of = of(I.getOperand(0)), By = of(I.getOperand(1));
    if (Of != Growth::None && By != Growth::None)
      return Growth::Unknown;
    if (I.getOpcode() == Instruction::Shl && By != Growth::None)
      return Growth::Unknown;
    const Growth Both = std::max(Of, By);
    return Both == Growth::Constant && !isa<llvm::Constant>(I.getOperand(0)) &&
                   !isa<llvm::Constant>(I.getOperand(1))
               ? Growth::Even
               : Both;
  }
  default:
    return Growth::Unknown;
  }
}

bool Counting::addsUpSuch(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Or:
    if (!isSum(I))
      return false;
    break;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::GetElementPtr:
    break;
  case Instruction::Mul:
  case Instruction::Shl:
    if (!isa<llvm::Constant>(I.getOperand(1)))
      return false;
    break;
  default:
    return false;
  }
  return all_of(I.operands(),
                [&](const Use &U) { return differsByConstants(U.get()); });
}

bool Counting::isFolded(const Instruction &I) {
  return !I.isTerminator() && !isa<GetElementPtrInst>(I) && isWrittenOut(&I);
}

bool Counting::differsByConstants(const Value *V) {
  if (isWrittenOut(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || isInvariant(*I, *outermost(), InAll))
    return true;
  if (const auto At = Apart.find(I); At != Apart.end())
    return At->second;
  Apart[I] = false; // what hangs on itself does not
  return Apart[I] = addsUpSuch(*I);
}

Growth Counting::of(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L || isSame(*I))
    return Growth::None;
  if (const auto At = Known.find(I); At != Known.end())
    return At->second;
  Known[I] = Growth::Unknown; // unless it is found to be otherwise
  const Growth Found = compute(*I);
  return Known[I] = Found;
}

bool Counting::growsEvenly(const Value *V) {
  const Growth By = of(V);
  return By == Growth::Constant || By == Growth::Even;
}

bool Counting::isAbsorbed(const Instruction &I) {
  if (!isa<BinaryOperator, SExtInst, ZExtInst>(I) ||
      !I.getType()->isIntegerTy())
    return false;
  return growsEvenly(&I) && all_of(I.users(), [&](const User *U) {
           const auto *By = dyn_cast<Instruction>(U);
           return By && (isa<GetElementPtrInst>(By) ||
                         (isa<BinaryOperator, SExtInst, ZExtInst>(By) &&
                          isAbsorbed(*By)));
         });
}

ComputedOnce::ComputedOnce(const Loop *Innermost, ArrayRef<unsigned> Whole) {
  unsigned Rounds = 1;
  const Loop *Around = Innermost;
  for (size_t Inside = 1; Inside <= Whole.size(); ++Inside) {
    Rounds *= Whole[Inside - 1];
    Around = Around->getParentLoop();
    if (!Around || Rounds > MostAtOnce)
      break;
    Levels.emplace_back(Around, Innermost, Whole.take_front(Inside));
  }
}

bool ComputedOnce::contains(const Instruction &I) {
  return any_of(Levels,
                [&](Level &Its) { return Its.Around.of(&I) == Growth::None; });
}

bool ComputedOnce::growsOutside(const GetElementPtrInst &Address) {
  return any_of(Levels,
                [&](Level &Its) { return Its.Around.growsEvenly(&Address); });
}

bool ComputedOnce::isAbsorbed(const Instruction &I) {
  return any_of(Levels, [&](Level &Its) { return Its.Around.isAbsorbed(I); });
}

bool mayWrap(const Value *V) {
  const auto *Wide = dyn_cast<ZExtInst>(V);
  const auto *Sum =
      Wide ? dyn_cast<OverflowingBinaryOperator>(Wide->getOperand(0)) : nullptr;
  return Sum && Wide->getType()->getScalarSizeInBits() > 32 &&
         !Sum->hasNoUnsignedWrap();
}

const Value *withoutConstant(const Value *Index) {
  for (;;) {
    const auto *I = dyn_cast<Instruction>(Index);
    if (!I)
      return Index;
    const bool AddsConstant =
        (isSum(*I) || I->getOpcode() == Instruction::Sub) &&
        isa<llvm::Constant>(I->getOperand(1));
    if ((!AddsConstant && !isa<SExtInst, ZExtInst>(I)) || mayWrap(I))
      return Index;
    Index = I->getOperand(0);
  }
}

} // namespace warpwise::access
