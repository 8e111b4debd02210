//===- Slice.cpp - The instructions that decide addresses -----------------===//

#include "analyzer/evaluate/Slice.h"

#include "analyzer/lowering/CallAccesses.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <utility>

using namespace llvm;

namespace warpwise::access {

AddressSlice addressSlice(Function &F) {
  AddressSlice Its;
  DenseSet<const Instruction *> &Slice = Its.Instructions;
  SmallVector<const Value *, 64> Pending;
  SmallVector<const StoreInst *, 16> PrivateStores;
  SmallVector<const Value *, 16> Kept; // in private arrays that others choose
  for (Instruction &I : instructions(F)) {
    if (isa<BranchInst, SwitchInst>(I)) {
      for (Value *Operand : I.operands())
        Pending.push_back(Operand);
      continue;
    }
    if (const MemoryReference Reference = memoryReference(I);
        Reference.Pointer) {
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store && isa<AllocaInst>(getUnderlyingObject(Reference.Pointer))) {
        PrivateStores.push_back(Store);
        continue;
      }
      Slice.insert(&I);
      Pending.push_back(Reference.Pointer);
      if (!Store && !I.getType()->isVoidTy())
        Its.ResultsUnused.insert(&I);
      if (Store && lowering::objectOf(Reference.Pointer).Memory == Space::Local)
        Kept.push_back(Store->getValueOperand());
      continue;
    }
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && lowering::addressOperands(*Call, Pending))
      Slice.insert(&I);
  }
  const auto follow = [&](const StoreInst *Store) {
    Slice.insert(Store);
    Pending.push_back(Store->getPointerOperand());
    Pending.push_back(Store->getValueOperand());
  };
  DenseMap<const Value *, SmallVector<const StoreInst *, 4>> StoresTo;
  for (const StoreInst *Store : PrivateStores)
    StoresTo[getUnderlyingObject(Store->getPointerOperand())].push_back(Store);
  while (!Pending.empty()) {
    auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I)
      continue;
    Its.ResultsUnused.erase(I);
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      const Value *Pointer = Load->getPointerOperand();
      const auto Stores = StoresTo.find(getUnderlyingObject(Pointer));
      const Space Memory = lowering::objectOf(Pointer).Memory;
      if (Stores != StoresTo.end())
        llvm::for_each(std::exchange(Stores->second, {}), follow);
      else if (Memory == Space::Local || Memory == Space::Generic)
        // It may be any of them.
        for (auto &Each : StoresTo)
          llvm::for_each(std::exchange(Each.second, {}), follow);
    }
    if (!Slice.insert(I).second && !isa<LoadInst>(I))
      continue;
    if (memoryReference(*I).Pointer)
      continue; // its address is in already; what it loads is not followed
    for (const Value *Operand : I->operands())
      Pending.push_back(Operand);
  }
  for (const Value *V : Kept)
    if (const auto *I = dyn_cast<Instruction>(V))
      Its.ResultsUnused.erase(I);
  return Its;
}

} // namespace warpwise::access
