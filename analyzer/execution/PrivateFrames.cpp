//===- PrivateFrames.cpp - Memory for a thread's own variables ------------===//

#include "analyzer/execution/PrivateFrames.h"

#include "analyzer/execution/HostFunctions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <utility>
#include <vector>

using namespace llvm;

namespace warpwise::execution {
namespace {

/// The size of all private variables of \p F; nothing when that is unknown.
std::optional<uint64_t>
frameOf(Function &F, std::vector<std::pair<AllocaInst *, uint64_t>> &Offsets) {
  constexpr uint64_t Alignment = 16;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  uint64_t Bytes = 0;
  for (Instruction &I : instructions(F)) {
    auto *Slot = dyn_cast<AllocaInst>(&I);
    if (!Slot)
      continue;
    const std::optional<TypeSize> Size = Slot->getAllocationSize(Layout);
    if (!Size || Size->getFixedValue() > MostFrameBytes)
      return std::nullopt;
    Offsets.emplace_back(Slot, Bytes);
    Bytes += alignTo(Size->getFixedValue(), Alignment);
    if (Bytes > MostFrameBytes)
      return std::nullopt;
  }
  return Bytes;
}

} // namespace

std::optional<uint64_t> movePrivateVariables(Module &M) {
  uint64_t Most = 0;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    std::vector<std::pair<AllocaInst *, uint64_t>> Offsets;
    const std::optional<uint64_t> Bytes = frameOf(F, Offsets);
    if (!Bytes)
      return std::nullopt;
    Most = std::max(Most, *Bytes);
    if (Offsets.empty())
      continue;
    IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
    Value *Frame = HostFunctions(M).call(Builder, "warpwise.frame",
                                         Builder.getPtrTy(), {});
    for (auto [Slot, Offset] : Offsets) {
      Value *Place =
          Builder.CreateConstGEP1_64(Builder.getInt8Ty(), Frame, Offset);
      Slot->replaceAllUsesWith(
          Builder.CreateAddrSpaceCast(Place, Slot->getType()));
    }
    // Not before: the builder inserts in front of the first of them.
    for (auto [Slot, Offset] : Offsets)
      Slot->eraseFromParent();
  }
  return Most;
}

} // namespace warpwise::execution
