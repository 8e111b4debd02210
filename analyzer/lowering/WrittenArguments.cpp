//===- WrittenArguments.cpp - By-value arguments as variables -------------===//

#include "analyzer/lowering/WrittenArguments.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warpwise::lowering {

/// Whether nothing is done with the pointer \p U but that it is loaded from,
/// compared, or handed to who does no more.
static bool isRead(const Use &U) {
  const User *Its = U.getUser();
  if (const auto *Copy = dyn_cast<MemTransferInst>(Its))
    return &U == &Copy->getRawSourceUse();
  if (const auto *Call = dyn_cast<CallBase>(Its);
      Call && Call->isArgOperand(&U)) {
    const unsigned Number = Call->getArgOperandNo(&U);
    return Call->onlyReadsMemory(Number) && Call->doesNotCapture(Number);
  }
  return isa<LoadInst, ICmpInst>(Its);
}

/// False when nothing is done with what \p Argument points to but that it is
/// read.
static bool mayBeWritten(const Argument &Argument) {
  SmallVector<const Value *, 8> Pending = {&Argument};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const Value *Pointer = Pending.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const Use &U : Pointer->uses()) {
      const User *Its = U.getUser();
      if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst, PHINode,
              SelectInst, ConstantExpr>(Its))
        Pending.push_back(Its);
      else if (!isRead(U))
        return true;
    }
  }
  return false;
}

void copyWrittenArguments(Function &Kernel) {
  const DataLayout &Layout = Kernel.getDataLayout();
  for (Argument &Given : Kernel.args()) {
    if (!Given.hasByValAttr() || !mayBeWritten(Given))
      continue;
    Type *Its = Given.getParamByValType();
    IRBuilder<> Builder(&*Kernel.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own = Builder.CreateAlloca(Its, Layout.getAllocaAddrSpace(),
                                           nullptr, Given.getName());
    const Align Alignment = Given.getParamAlign().valueOrOne();
    Own->setAlignment(std::max(Alignment, Layout.getPrefTypeAlign(Its)));
    Value *As = Builder.CreateAddrSpaceCast(Own, Given.getType());
    Given.replaceAllUsesWith(As);
    Builder.CreateMemCpy(As, Own->getAlign(), &Given, Alignment,
                         Layout.getTypeAllocSize(Its).getFixedValue());
  }
}

} // namespace warpwise::lowering
