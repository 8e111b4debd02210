//===- MemoryInstructions.cpp - What accesses memory ----------------------===//

#include "analyzer/lowering/MemoryInstructions.h"

#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

bool hasAny(StringRef Name, ArrayRef<StringRef> Words) {
  return any_of(Words, [&](StringRef Word) { return Name.contains(Word); });
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
  if (Callee && nvidiaMemory(Callee->getName()) == NvidiaMemory::Surface)
    return true;
  if (!Callee || !Callee->isIntrinsic())
    return false;
  const StringRef Name = Callee->getName();
  if (nvidiaMemory(Name) != NvidiaMemory::None)
    return true;
  return Name.starts_with("llvm.masked.") || Name.starts_with("llvm.vp.load") ||
         Name.starts_with("llvm.vp.store");
}

} // namespace

NvidiaMemory nvidiaMemory(StringRef Name) {
  // What Clang has no function for (frontend/headers/bridge).
  if (Name.starts_with("__warpwise_surf"))
    return NvidiaMemory::Surface;
  if (!Name.consume_front("llvm.nvvm."))
    return NvidiaMemory::None;
  const auto [Root, Rest] = Name.split('.');
  // By what follows, as some that only order or compute share the root.
  if (Root == "cp")
    return hasAny(Rest, {"commit", "wait", "mbarrier"}) ? NvidiaMemory::None
                                                        : NvidiaMemory::Copy;
  if (Root == "wmma")
    return hasAny(Rest, {".load.", ".store."}) ? NvidiaMemory::Fragment
                                               : NvidiaMemory::None;
  return StringSwitch<NvidiaMemory>(Root)
      .Cases("ldg", "ldu", NvidiaMemory::Load)
      .Case("atomic", NvidiaMemory::Atomic)
      .Cases("ldmatrix", "stmatrix", NvidiaMemory::Matrix)
      .Cases("tex", "tld4", NvidiaMemory::Texture)
      .Cases("suld", "sust", NvidiaMemory::Surface)
      .Default(NvidiaMemory::None);
}

MemoryReference memoryReference(const Instruction &I) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  auto bytesOf = [&](Type *T) {
    return unsigned(Layout.getTypeStoreSize(T).getFixedValue());
  };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return {Load->getPointerOperand(), bytesOf(Load->getType()), true, false};
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return {Store->getPointerOperand(),
            bytesOf(Store->getValueOperand()->getType()), false, true};
  if (auto *Modify = dyn_cast<AtomicRMWInst>(&I))
    return {Modify->getPointerOperand(), bytesOf(Modify->getType()), true,
            true};
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return {Exchange->getPointerOperand(),
            bytesOf(Exchange->getNewValOperand()->getType()), true, true};
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  const NvidiaMemory Does =
      Callee ? nvidiaMemory(Callee->getName()) : NvidiaMemory::None;
  if (Does == NvidiaMemory::Load || Does == NvidiaMemory::Atomic)
    return {Call->getArgOperand(0), bytesOf(Call->getType()), true,
            Does == NvidiaMemory::Atomic};
  return {};
}

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

void markPastL1(Instruction &Load) {
  LLVMContext &Context = Load.getContext();
  Load.setMetadata(
      LLVMContext::MD_nontemporal,
      MDNode::get(Context, ConstantAsMetadata::get(ConstantInt::get(
                               Type::getInt32Ty(Context), 1))));
}

bool goesPastL1(const Instruction &Load) {
  return Load.hasMetadata(LLVMContext::MD_nontemporal);
}

std::vector<const Instruction *> memoryInstructions(const Function &F) {
  std::vector<const Instruction *> Found;
  for (const Instruction &I : instructions(F))
    if (accessesMemory(I))
      Found.push_back(&I);
  return Found;
}

} // namespace warpwise::lowering
