//===- RegisterPressure.cpp - Whether registers may run out ---------------===//

#include "analyzer/lowering/RegisterPressure.h"

#include "analyzer/lowering/LaunchBounds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// What is alive where, by the usual backward equations.
class Liveness {
  using Values = DenseSet<const Instruction *>;

  const DataLayout &Layout;
  DenseMap<const BasicBlock *, Values> AtStart;

  unsigned wordsOf(const Instruction *I) const {
    if (I->getType()->isVoidTy() || I->getType()->isTokenTy() ||
        isa<AllocaInst>(I))
      return 0;
    const auto Bits = Layout.getTypeSizeInBits(I->getType()).getFixedValue();
    return Bits <= 1
               ? 0
               : unsigned((Bits + 31) / 32); // predicates are no registers
  }

  static void use(const Value *V, Values &Live) {
    if (const auto *I = dyn_cast<Instruction>(V))
      Live.insert(I);
  }

  Values atEnd(const BasicBlock &Block) const {
    Values Live;
    for (const BasicBlock *Next : successors(&Block)) {
      if (const auto Known = AtStart.find(Next); Known != AtStart.end())
        Live.insert(Known->second.begin(), Known->second.end());
      for (const PHINode &Phi : Next->phis()) {
        Live.erase(&Phi);
        use(Phi.getIncomingValueForBlock(&Block), Live);
      }
    }
    return Live;
  }

  /// Goes through \p Block backwards; calls \p See with what is alive.
  template <class Callback>
  Values before(const BasicBlock &Block, Callback See) const {
    Values Live = atEnd(Block);
    See(Live);
    for (const Instruction &I : reverse(Block)) {
      if (isa<PHINode>(I))
        break; // they are alive at the start, all at once
      Live.erase(&I);
      for (const Value *Operand : I.operands())
        use(Operand, Live);
      See(Live);
    }
    return Live;
  }

public:
  explicit Liveness(const Function &F)
      : Layout(F.getParent()->getDataLayout()) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BasicBlock *Block : post_order(&F)) {
        Values Live = before(*Block, [](const Values &) {});
        Values &Known = AtStart[Block];
        if (Live.size() != Known.size()) { // sets only grow
          Known = std::move(Live);
          Changed = true;
        }
      }
    }
  }

  unsigned most(const Function &F) const {
    unsigned Most = 0;
    for (const BasicBlock &Block : F)
      before(Block, [&](const Values &Live) {
        unsigned Words = 0;
        for (const Instruction *I : Live)
          Words += wordsOf(I);
        Most = std::max(Most, Words);
      });
    return Most;
  }
};

} // namespace

unsigned registersWanted(const Function &Kernel) {
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  uint64_t InArrays = 0;
  for (const Instruction &I : Kernel.getEntryBlock())
    if (const auto *Array = dyn_cast<AllocaInst>(&I))
      if (const auto Size = Array->getAllocationSize(Layout))
        InArrays += (Size->getFixedValue() + 3) / 4;
  return unsigned(std::min<uint64_t>(InArrays, 1 << 16)) +
         Liveness(Kernel).most(Kernel);
}

unsigned registersAllowed(const Function &Kernel) {
  constexpr uint64_t OfSm = 65536, OfThread = 255, Unit = 8;
  const LaunchBounds Bounds = launchBoundsOf(Kernel);
  const uint64_t Threads =
      Bounds.Threads.value_or(0) * Bounds.Blocks.value_or(1);
  if (Threads == 0)
    return OfThread;
  const uint64_t Fair = OfSm / Threads / Unit * Unit;
  return unsigned(std::clamp<uint64_t>(Fair, Unit, OfThread));
}

} // namespace warpwise::lowering
