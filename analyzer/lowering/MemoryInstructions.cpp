//===- MemoryInstructions.cpp - What accesses memory ----------------------===//

#include "analyzer/lowering/MemoryInstructions.h"

#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

bool hasAny(StringRef Name, ArrayRef<StringRef> Words) {
  return any_of(Words, [&](StringRef Word) { return Name.contains(Word); });
}

/// \p Name without "llvm.nvvm.".
bool isMemoryIntrinsicOfNvidia(StringRef Name) {
  if (Name.starts_with("ldg.") || Name.starts_with("ldu.") ||
      Name.starts_with("atomic.") || Name.starts_with("ldmatrix.") ||
      Name.starts_with("stmatrix."))
    return true;
  if (Name.starts_with("tex.") || Name.starts_with("tld4.") ||
      Name.starts_with("suld.") || Name.starts_with("sust."))
    return true;
  if (Name.starts_with("wmma."))
    return hasAny(Name, {".load.", ".store."});
  return Name.starts_with("cp.") &&
         !hasAny(Name, {"commit", "wait", "mbarrier"});
}

bool isMemoryCall(const CallInst &Call) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    const std::string Text = withoutComments(Assembly->getAsmString());
    return any_of(ptxStatements(Text),
                  [](const PtxStatement &S) { return accessesMemory(S); });
  }
  if (auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    // The initial value of a private variable is not read from memory.
    auto *Table =
        dyn_cast<GlobalVariable>(getUnderlyingObject(Copy->getRawSource()));
    return !isOfThread(Copy->getRawDest()) ||
           !(isOfThread(Copy->getRawSource()) ||
             (Table && Table->isConstant() && Table->hasPrivateLinkage()));
  }
  if (auto *Fill = dyn_cast<MemSetInst>(&Call))
    return !isOfThread(Fill->getRawDest());
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return false;
  StringRef Name = Callee->getName();
  if (Name.consume_front("llvm.nvvm."))
    return isMemoryIntrinsicOfNvidia(Name);
  return Name.starts_with("llvm.masked.") || Name.starts_with("llvm.vp.load") ||
         Name.starts_with("llvm.vp.store");
}

} // namespace

bool isOfThread(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [](const Value *Object) {
    auto *Formal = dyn_cast<Argument>(Object);
    return isa<AllocaInst>(Object) || (Formal && Formal->hasByValAttr());
  });
}

bool accessesMemory(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return !isOfThread(Pointer);
  if (auto *Modify = dyn_cast<AtomicRMWInst>(&I))
    return !isOfThread(Modify->getPointerOperand());
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return !isOfThread(Swap->getPointerOperand());
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && isMemoryCall(*Call);
}

std::vector<const Instruction *> memoryInstructions(const Function &F) {
  std::vector<const Instruction *> Found;
  for (const Instruction &I : instructions(F))
    if (accessesMemory(I))
      Found.push_back(&I);
  return Found;
}

} // namespace warpwise::lowering
