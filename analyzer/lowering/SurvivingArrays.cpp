//===- SurvivingArrays.cpp - Private arrays that stay in memory -----------===//

#include "analyzer/lowering/SurvivingArrays.h"

#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

bool holdsArray(const Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return Array->getNumElements() > 1;
  if (auto *Struct = dyn_cast<StructType>(T))
    return any_of(Struct->elements(), holdsArray);
  return false;
}

const DILocalVariable *variableOf(AllocaInst &Slot) {
  for (DbgVariableRecord *Record : findDVRDeclares(&Slot))
    return Record->getVariable();
  for (DbgDeclareInst *Declare : findDbgDeclares(&Slot))
    return Declare->getVariable();
  return nullptr;
}

/// Follows the uses of an array to what keeps it in memory.
void explain(AllocaInst &Slot, SurvivingArray &Array) {
  SmallVector<Value *, 16> Pending{&Slot};
  SmallPtrSet<Value *, 16> Seen;
  while (!Pending.empty()) {
    Value *At = Pending.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    for (User *U : At->users()) {
      auto *Used = dyn_cast<Instruction>(U);
      if (auto *Index = dyn_cast<GEPOperator>(U)) {
        if (!Index->hasAllConstantIndices() && !Array.DynamicIndex && Used)
          Array.DynamicIndex = Used->getDebugLoc().get();
        Pending.push_back(U);
      } else if (isa<AddrSpaceCastInst, BitCastInst, PHINode, SelectInst>(U)) {
        Pending.push_back(U);
      } else if (auto *Call = dyn_cast<CallBase>(U)) {
        if (!isa<IntrinsicInst>(Call) && Array.EscapesTo.empty())
          Array.EscapesTo = Call->getCalledFunction()
                                ? Call->getCalledFunction()->getName().str()
                                : "an indirect call";
      }
    }
  }
}

} // namespace

bool hasPrivateArrays(Module &M) {
  for (Function *Kernel : kernelsOf(M))
    for (Instruction &I : instructions(*Kernel))
      if (auto *Slot = dyn_cast<AllocaInst>(&I))
        if (holdsArray(Slot->getAllocatedType()))
          return true;
  return false;
}

std::unique_ptr<Module> optimisedClone(Module &M, TargetMachine &Machine) {
  std::unique_ptr<Module> Clone = CloneModule(M);
  for (Function *Kernel : kernelsOf(*Clone))
    if (none_of(instructions(*Kernel), [](Instruction &I) {
          auto *Slot = dyn_cast<AllocaInst>(&I);
          return Slot && holdsArray(Slot->getAllocatedType());
        }))
      Kernel->deleteBody(); // not worth -O3's time
  optimise(*Clone, Machine);
  return Clone;
}

std::vector<SurvivingArray> survivingArrays(Module &Optimised) {
  std::vector<SurvivingArray> Arrays;
  const DataLayout &Layout = Optimised.getDataLayout();
  for (Function *Kernel : kernelsOf(Optimised))
    for (Instruction &I : instructions(*Kernel)) {
      auto *Slot = dyn_cast<AllocaInst>(&I);
      if (!Slot || !holdsArray(Slot->getAllocatedType()))
        continue;
      SurvivingArray Array;
      Array.Kernel = Kernel->getName().str();
      Array.Variable = variableOf(*Slot);
      if (!Array.Variable)
        continue;
      if (std::optional<TypeSize> Size = Slot->getAllocationSize(Layout))
        Array.Bytes = Size->getFixedValue();
      explain(*Slot, Array);
      Arrays.push_back(std::move(Array));
    }
  return Arrays;
}

} // namespace warpwise::lowering
