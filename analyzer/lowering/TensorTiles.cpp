//===- TensorTiles.cpp - Where tensor copies put their tiles --------------===//

#include "analyzer/lowering/TensorTiles.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace warpwise::lowering {

SmallPtrSet<const GlobalVariable *, 4> tensorTiles(const Function &F) {
  SmallPtrSet<const GlobalVariable *, 4> Found;
  SmallVector<const Value *> Left;
  SmallPtrSet<const Value *, 16> Seen;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const auto *Assembly =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (Assembly &&
        StringRef(Assembly->getAsmString()).contains("cp.async.bulk.tensor"))
      append_range(Left, Call->args());
  }
  // Addresses go in as numbers; loads on the way lead to other memory.
  while (!Left.empty()) {
    const Value *V = Left.pop_back_val();
    if (!Seen.insert(V).second || isa<LoadInst>(V))
      continue;
    if (const auto *Variable = dyn_cast<GlobalVariable>(V);
        Variable && Variable->getAddressSpace() == SharedSpace)
      Found.insert(Variable);
    else if (isa<Operator>(V))
      append_range(Left, cast<User>(V)->operands());
  }
  return Found;
}

} // namespace warpwise::lowering
