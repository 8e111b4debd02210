//===- GridPointers.cpp - What kernels are given is not shared ------------===//

#include "analyzer/lowering/GridPointers.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// Whether \p Object is the same memory for all blocks, or found in such.
bool isOfTheGrid(const Value *Object) {
  if (isa<Argument>(Object))
    return true;
  if (const auto *Variable = dyn_cast<GlobalVariable>(Object))
    return Variable->getAddressSpace() != SharedSpace;
  const auto *Load = dyn_cast<LoadInst>(Object);
  return Load && isOfTheGrid(getUnderlyingObject(Load->getPointerOperand()));
}

bool isShared(const Value *Pointer) {
  const auto inSharedSpace = [](const Value *V) {
    return V->getType()->isPointerTy() &&
           V->getType()->getPointerAddressSpace() == SharedSpace;
  };
  return inSharedSpace(Pointer) || inSharedSpace(getUnderlyingObject(Pointer));
}

/// Whether \p I may write the address of a block's or a thread's own memory to
/// where all blocks find it.
bool mayPublish(const Instruction &I) {
  const Value *What = nullptr, *Where = nullptr;
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    What = Store->getValueOperand();
    Where = Store->getPointerOperand();
  } else if (const auto *Swap = dyn_cast<AtomicRMWInst>(&I)) {
    What = Swap->getValOperand();
    Where = Swap->getPointerOperand();
  } else if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
    What = Swap->getNewValOperand();
    Where = Swap->getPointerOperand();
  } else {
    return false;
  }
  if (const auto *Number = dyn_cast<PtrToIntOperator>(What))
    What = Number->getPointerOperand();
  if (!What->getType()->isPointerTy() || isa<ConstantPointerNull>(What) ||
      isOfTheGrid(getUnderlyingObject(What)))
    return false;
  return !isShared(Where) && !isa<AllocaInst>(getUnderlyingObject(Where));
}

} // namespace

AnalysisKey GridPointers::Key;

GridPointersResult::GridPointersResult(Function &F)
    : IsKernel(is_contained(kernelsOf(*F.getParent()), &F)),
      Publishes(any_of(instructions(F), mayPublish)) {}

AliasResult GridPointersResult::alias(const MemoryLocation &A,
                                      const MemoryLocation &B, AAQueryInfo &,
                                      const Instruction *) {
  if (!IsKernel || isShared(A.Ptr) == isShared(B.Ptr))
    return AliasResult::MayAlias;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(isShared(A.Ptr) ? B.Ptr : A.Ptr, Objects);
  const bool AllOfTheGrid = all_of(Objects, [&](const Value *Object) {
    return isOfTheGrid(Object) && (!Publishes || !isa<LoadInst>(Object));
  });
  return AllOfTheGrid ? AliasResult::NoAlias : AliasResult::MayAlias;
}

void GridPointers::registerWith(FunctionAnalysisManager &Functions,
                                AAManager Usual) {
  Functions.registerPass([] { return GridPointers(); });
  Usual.registerFunctionAnalysis<GridPointers>();
  Functions.registerPass(
      [Usual = std::move(Usual)]() mutable { return std::move(Usual); });
}

} // namespace warpwise::lowering
