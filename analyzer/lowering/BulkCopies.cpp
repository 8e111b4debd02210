//===- BulkCopies.cpp - Copies that the hardware makes --------------------===//

#include "analyzer/lowering/BulkCopies.h"

#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/AssemblyInputs.h"
#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <optional>
#include <string>

using namespace llvm;

namespace warpwise::lowering {

/// The variable in shared memory that \p Address is computed from, be it as a
/// number; null where there are several, or none. (objectOf() follows a number
/// through one sum: a ring of tiles takes several.)
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

/// What \p S of \p Call is, if it brings something into shared memory:
/// "cp.async.bulk.shared::cluster.global.... [to], [from], bytes, [barrier]",
/// or "cp.async.bulk.tensor.... [to], [map, {place}], [barrier]".
static std::optional<BulkCopy> bulkCopyOf(const PtxStatement &S,
                                          const CallInst &Call,
                                          const AssemblyInputs &Inputs) {
  if (!S.Opcode.starts_with("cp.async.bulk.") || S.Operands.size() < 3 ||
      !(S.Opcode.contains("shared::cluster.global") ||
        S.Opcode.contains("shared::cta.global")))
    return std::nullopt;
  BulkCopy Copy{&Call, nullptr, S.has("tensor")};
  if (const auto To = addressIn(S.Operands[0]))
    if (const Value *Address = Inputs.named(To->Base))
      Copy.Into = sharedVariable(Address);
  const auto Said = Copy.IsTensor ? std::nullopt : Inputs.number(S.Operands[2]);
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  if (Said)
    Copy.Bytes = uint64_t(*Said);
  else if (Copy.Into && Copy.Into->getValueType()->isSized())
    Copy.Bytes = Layout.getTypeAllocSize(Copy.Into->getValueType());
  return Copy;
}

std::vector<BulkCopy> bulkCopies(const Function &F) {
  std::vector<BulkCopy> Found;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const auto *Assembly =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Assembly)
      continue;
    const std::string Text = withoutComments(Assembly->getAsmString());
    for (const PtxStatement &S : ptxStatements(Text))
      if (const auto Copy =
              bulkCopyOf(S, *Call, AssemblyInputs(*Call, *Assembly)))
        Found.push_back(*Copy);
  }
  return Found;
}

} // namespace warpwise::lowering
