//===- BulkCopies.cpp - Copies that the hardware makes --------------------===//

#include "analyzer/lowering/BulkCopies.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <string>

using namespace llvm;

namespace warpwise::lowering {

/// The variable in shared memory that \p Address is computed from, be it as a
/// number; null where there are several, or none.
static const GlobalVariable *sharedVariable(const Value *Address) {
  const GlobalVariable *Found = nullptr;
  SmallVector<const Value *> Left{Address};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Left.empty()) {
    const Value *V = Left.pop_back_val();
    if (!Seen.insert(V).second || isa<LoadInst>(V))
      continue; // what is loaded leads to other memory
    if (const auto *Variable = dyn_cast<GlobalVariable>(V);
        Variable && Variable->getAddressSpace() == SharedSpace) {
      if (Found && Found != Variable)
        return nullptr;
      Found = Variable;
    } else if (isa<Operator>(V)) {
      append_range(Left, cast<User>(V)->operands());
    }
  }
  return Found;
}

std::vector<BulkCopy> bulkCopies(const Function &F) {
  std::vector<BulkCopy> Found;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const auto *Assembly =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    const std::string Written = Assembly ? Assembly->getAsmString() : "";
    const StringRef Text = Written;
    if (!Text.contains("cp.async.bulk") || Call->arg_size() < 3 ||
        !(Text.contains("shared::cluster.global") ||
          Text.contains("shared::cta.global")))
      continue;
    // [to], [from], bytes, [barrier]; of a tensor [to], [map, {place}],
    // [barrier].
    BulkCopy Copy{Call, sharedVariable(Call->getArgOperand(0)),
                  Text.contains("cp.async.bulk.tensor")};
    const auto *Said = dyn_cast<ConstantInt>(Call->getArgOperand(2));
    if (!Copy.IsTensor && Said)
      Copy.Bytes = Said->getZExtValue();
    else if (Copy.Into && Copy.Into->getValueType()->isSized())
      Copy.Bytes = Layout.getTypeAllocSize(Copy.Into->getValueType());
    Found.push_back(Copy);
  }
  return Found;
}

} // namespace warpwise::lowering
