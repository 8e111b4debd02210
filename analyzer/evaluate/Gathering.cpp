//===- Gathering.cpp - What threads put together at the end ---------------===//

#include "analyzer/evaluate/Gathering.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::access {

using lowering::MemoryReference;
using lowering::memoryReference;

namespace {

bool isLoad(const Instruction &I, Space From) {
  const MemoryReference R = memoryReference(I);
  return R.Pointer && R.Reads && !R.Writes && !I.isAtomic() &&
         lowering::objectOf(R.Pointer).Memory == From;
}

/// Of what \p I does, the part that threads put together what they have found
/// by, not pass on in order as in prefix sums, or as the bits of a word.
enum class Exchange { None, Sum, Other };

Exchange exchangeOf(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallInst>(&I))
    if (const auto Its = warpExchange(*Call))
      switch (Its->What) {
      case Code::ShuffleIndex:
      case Code::ShuffleDown:
      case Code::ShuffleXor:
      case Code::WarpReduce:
        return Exchange::Sum;
      default:
        return Exchange::Other;
      }
  if (isBarrier(I))
    return Exchange::Sum;
  const MemoryReference R = memoryReference(I);
  if (!R.Pointer || !R.Writes)
    return Exchange::None;
  const bool IsShared = lowering::objectOf(R.Pointer).Memory == Space::Shared;
  return IsShared || (R.Reads && I.use_empty()) ? Exchange::Sum
                                                : Exchange::None;
}

const Loop *outermostAround(const BasicBlock &Block,
                            const llvm::LoopInfo &Loops) {
  const Loop *L = Loops.getLoopFor(&Block);
  return L ? L->getOutermostLoop() : nullptr;
}

/// Blocks from whose beginning a load of global memory can be reached.
DenseSet<const BasicBlock *> blocksBeforeLoads(ArrayRef<BasicBlock *> Order) {
  DenseSet<const BasicBlock *> Before;
  SmallVector<const BasicBlock *> Open;
  for (const BasicBlock *Block : Order)
    if (any_of(*Block,
               [](const Instruction &I) { return isLoad(I, Space::Global); }) &&
        Before.insert(Block).second)
      Open.push_back(Block);
  while (!Open.empty())
    for (const BasicBlock *From : predecessors(Open.pop_back_val()))
      if (Before.insert(From).second)
        Open.push_back(From);
  return Before;
}

/// The end that \p First begins, an exchange after which nothing is loaded.
Gathering endFrom(const Instruction &First, ArrayRef<BasicBlock *> Order,
                  const DominatorTree &Dominators,
                  const llvm::LoopInfo &Loops) {
  const BasicBlock *Block = First.getParent();
  const Loop *Around = outermostAround(*Block, Loops);
  const BasicBlock *Begin = Around ? Around->getHeader() : Block;
  Gathering Its;
  if (!Around)
    Its.First = &First;
  for (const BasicBlock *Other : Order)
    if (Dominators.dominates(Begin, Other) && (Around || Other != Block))
      Its.Blocks.insert(Other);
  return Its;
}

} // namespace

bool Gathering::contains(const Instruction &I) const {
  return Blocks.contains(I.getParent()) ||
         (First && First->getParent() == I.getParent() &&
          (First == &I || First->comesBefore(&I)));
}

Gathering gatheringOf(ArrayRef<BasicBlock *> Order,
                      const DominatorTree &Dominators,
                      const llvm::LoopInfo &Loops) {
  const DenseSet<const BasicBlock *> BeforeLoads = blocksBeforeLoads(Order);
  const auto successorsLoad = [&](const BasicBlock &Block) {
    return any_of(successors(&Block), [&](const BasicBlock *Next) {
      return BeforeLoads.contains(Next);
    });
  };
  const auto loadsAfter = [](const Instruction &I) {
    return any_of(
        make_range(I.getIterator(), I.getParent()->end()),
        [](const Instruction &Later) { return isLoad(Later, Space::Global); });
  };
  Gathering Its;
  bool IsThere = false;
  for (const BasicBlock *Block : Order)
    for (const Instruction &I : *Block) {
      const Exchange Of = exchangeOf(I);
      if (Of == Exchange::Other)
        return {};
      if (IsThere || Of == Exchange::None || loadsAfter(I) ||
          successorsLoad(*Block))
        continue;
      Its = endFrom(I, Order, Dominators, Loops);
      IsThere = true;
    }
  if (!IsThere)
    return {};
  // Before it each thread is on its own, and has nothing to say yet.
  for (const BasicBlock *Block : Order)
    for (const Instruction &I : *Block) {
      const MemoryReference R = memoryReference(I);
      const bool Stores =
          R.Pointer && R.Writes &&
          lowering::objectOf(R.Pointer).Memory != Space::Shared &&
          lowering::objectOf(R.Pointer).Memory != Space::Local;
      if (!Its.contains(I) && (Stores || isLoad(I, Space::Shared)))
        return {};
    }
  return Its;
}

} // namespace warpwise::access
