//===- SharedAtomics.cpp - Atomics that shared memory lacks ---------------===//

#include "analyzer/lowering/SharedAtomics.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {

bool isEmulated(const AtomicRMWInst &Atomic) {
  if (Atomic.getPointerAddressSpace() != SharedSpace ||
      Atomic.getOperation() == AtomicRMWInst::Xchg)
    return false;
  return Atomic.getType()->isFPOrFPVectorTy() ||
         Atomic.getType()->getScalarSizeInBits() != 32;
}

void showEmulatedAtomics(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
        Atomic && isEmulated(*Atomic))
      IRBuilder<>(Atomic).CreateAlignedLoad(
          Atomic->getType(), Atomic->getPointerOperand(), Atomic->getAlign());
}

} // namespace warpwise::lowering
