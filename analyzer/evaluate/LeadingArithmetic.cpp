//===- LeadingArithmetic.cpp - What says where accesses go ----------------===//

#include "analyzer/evaluate/LeadingArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::access {

DenseSet<const Instruction *> leadingArithmetic(const Function &F) {
  // All that could be, less what turns out to be used otherwise.
  DenseSet<const Instruction *> Leading;
  SmallVector<const Instruction *> Used;
  for (const Instruction &I : instructions(F))
    if (!I.isTerminator() && !I.mayReadOrWriteMemory() && !isa<AllocaInst>(I) &&
        !I.use_empty())
      Leading.insert(&I);
  const auto onlyLeads = [&](const Use &To) {
    const auto *User = cast<Instruction>(To.getUser());
    return To.get() == getLoadStorePointerOperand(User)
               ? !isa<StoreInst>(User) ||
                     To.getOperandNo() == StoreInst::getPointerOperandIndex()
               : Leading.contains(User);
  };
  const auto check = [&](const Instruction &I) {
    if (all_of(I.uses(), onlyLeads) || !Leading.erase(&I))
      return;
    for (const Value *Operand : I.operands())
      if (const auto *From = dyn_cast<Instruction>(Operand);
          From && Leading.contains(From))
        Used.push_back(From);
  };
  for (const Instruction &I : instructions(F))
    if (Leading.contains(&I))
      check(I);
  while (!Used.empty())
    check(*Used.pop_back_val());
  return Leading;
}

} // namespace warpwise::access
