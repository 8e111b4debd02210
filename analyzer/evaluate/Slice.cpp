//===- Slice.cpp - The instructions that decide addresses -----------------===//

#include "analyzer/evaluate/Slice.h"

#include "analyzer/lowering/CallAccesses.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::access {

DenseSet<const Instruction *> addressSlice(Function &F) {
  DenseSet<const Instruction *> Slice;
  SmallVector<const Value *, 64> Pending;
  SmallVector<const StoreInst *, 16> PrivateStores;
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
      continue;
    }
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && lowering::addressOperands(*Call, Pending))
      Slice.insert(&I);
  }
  bool ReadsPrivate = false;
  while (!Pending.empty() || (ReadsPrivate && !PrivateStores.empty())) {
    if (Pending.empty()) {
      const StoreInst *Store = PrivateStores.pop_back_val();
      Slice.insert(Store);
      Pending.push_back(Store->getPointerOperand());
      Pending.push_back(Store->getValueOperand());
      continue;
    }
    auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I)
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I))
      ReadsPrivate |=
          isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
    if (!Slice.insert(I).second && !isa<LoadInst>(I))
      continue;
    if (memoryReference(*I).Pointer)
      continue; // its address is in already; what it loads is not followed
    for (const Value *Operand : I->operands())
      Pending.push_back(Operand);
  }
  return Slice;
}

} // namespace warpwise::access
