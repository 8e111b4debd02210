//===- Uniformity.cpp - Values that threads have in common ----------------===//

#include "analyzer/evaluate/Uniformity.h"

#include "analyzer/evaluate/Instructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warpwise::access {

static bool isIdOfBlock(const CallInst &Call) {
  using Kind = Preset::Kind;
  return is_contained({Kind::NtidX, Kind::NtidY, Kind::NtidZ, Kind::CtaidX,
                       Kind::CtaidY, Kind::CtaidZ, Kind::NctaidX, Kind::NctaidY,
                       Kind::NctaidZ},
                      specialRegister(Call).value_or(Kind::TidX));
}

static bool isIdOfThread(const CallInst &Call) {
  using Kind = Preset::Kind;
  return is_contained({Kind::TidX, Kind::TidY, Kind::TidZ, Kind::LaneId},
                      specialRegister(Call).value_or(Kind::NtidX));
}

static constexpr unsigned MostDepth = 12;

static bool allows(Inputs Of, Inputs One) { return (Of & One) == One; }

static bool isComputedFrom(const Value *V, Inputs Of, unsigned Depth);

/// What decides which of its values \p Phi has, where that is a chain of
/// conditions (`a || b || c`); null among them where it is not.
static SmallVector<const Value *, 4> conditionsOf(const PHINode &Phi) {
  SmallVector<const Value *, 4> Found;
  for (const BasicBlock *From : Phi.blocks()) {
    const auto *End = dyn_cast<BranchInst>(From->getTerminator());
    if (End && !End->isConditional() && From->getSinglePredecessor())
      End = dyn_cast<BranchInst>(From->getSinglePredecessor()->getTerminator());
    Found.push_back(End && End->isConditional() ? End->getCondition()
                                                : nullptr);
  }
  return Found;
}

static bool isComputedFrom(const PHINode &Phi, Inputs Of, unsigned Depth) {
  const auto isIts = [&](const Value *V) {
    return V && isComputedFrom(V, Of, Depth + 2);
  };
  return all_of(Phi.incoming_values(), isIts) &&
         all_of(conditionsOf(Phi), isIts);
}

static bool isComputedFrom(const Value *V, Inputs Of, unsigned Depth) {
  if (isa<Constant>(V))
    return !isa<UndefValue>(V);
  if (isa<Argument>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth >= MostDepth)
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(I))
    return isComputedFrom(*Phi, Of, Depth);
  if (const auto *Call = dyn_cast<CallInst>(I);
      Call && !isa<MinMaxIntrinsic>(I))
    return (allows(Of, Inputs::BlockIds) && isIdOfBlock(*Call)) ||
           (allows(Of, Inputs::ThreadIds) && isIdOfThread(*Call));
  const auto *Load = dyn_cast<LoadInst>(I);
  if (Load && allows(Of, Inputs::Tables))
    return isComputedFrom(Load->getPointerOperand(),
                          Inputs::Tables | Inputs::BlockIds, Depth + 1);
  // Arguments by value are in constant memory.
  const auto *Object =
      Load ? dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()))
           : nullptr;
  const bool IsPure =
      isa<BinaryOperator, CastInst, SelectInst, CmpInst, ExtractValueInst,
          ExtractElementInst, GetElementPtrInst, MinMaxIntrinsic>(I);
  return (IsPure || (Object && Object->hasByValAttr())) &&
         all_of(I->operands(), [&](const Value *Operand) {
           return isComputedFrom(Operand, Of, Depth + 1);
         });
}

bool isComputedFrom(const Value *V, Inputs Of) {
  return isComputedFrom(V, Of, 0);
}

} // namespace warpwise::access
