//===- CarriedWords.cpp - Sums that threads keep in shared memory ---------===//

#include "analyzer/evaluate/CarriedWords.h"

#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <utility>

using namespace llvm;

namespace warpwise::access {
namespace {

bool isVolatile(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  const auto *Store = dyn_cast<StoreInst>(&I);
  return (Load && Load->isVolatile()) || (Store && Store->isVolatile());
}

/// Where all threads of a block meet. Barriers of a part of them, and those
/// that are objects in memory, are not told apart from what else they may be.
bool isFullBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call &&
         Call->getCalledFunction()->getName().starts_with("llvm.nvvm.barrier0");
}

/// Whether \p I is computed from its operands alone, the same whenever it is.
bool isArithmetic(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return !I.mayReadOrWriteMemory() && !isa<PHINode, AllocaInst>(I) &&
         !I.isTerminator() && (!Call || !Call->isConvergent());
}

/// \p Seen has what was asked before: where that was not so, nobody asks on.
bool isInvariant(const Value *V, const Loop &L,
                 SmallPtrSetImpl<const Value *> &Seen) {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || !L.contains(I) || !Seen.insert(I).second ||
         (isArithmetic(*I) && all_of(I->operands(), [&](const Use &Operand) {
            return isInvariant(Operand.get(), L, Seen);
          }));
}

bool isInvariant(const Value *V, const Loop &L) {
  SmallPtrSet<const Value *, 8> Seen;
  return isInvariant(V, L, Seen);
}

using Pairs = DenseSet<std::pair<const Value *, const Value *>>;

/// \p Seen as above.
bool areSame(const Value *A, const Value *B, Pairs &Seen) {
  if (A == B || !Seen.insert({A, B}).second)
    return true;
  const auto *First = dyn_cast<Instruction>(A);
  const auto *Second = dyn_cast<Instruction>(B);
  if (!First || !Second || !isArithmetic(*First) ||
      !First->isSameOperationAs(Second))
    return false;
  return all_of(zip(First->operands(), Second->operands()),
                [&](const auto &Pair) {
                  const auto &[Mine, Other] = Pair;
                  return areSame(Mine.get(), Other.get(), Seen);
                });
}

/// Whether \p A and \p B are the same number, computed twice maybe.
bool areSame(const Value *A, const Value *B) {
  Pairs Seen;
  return areSame(A, B, Seen);
}

/// What an instruction may do to an array in shared memory.
enum class Touch {
  No,
  Plain, ///< it loads or stores there
  Other  ///< or something else, or it is not known
};

/// What comes from memory is taken for a pointer to global memory elsewhere;
/// one that was put into private or shared memory may lead anywhere.
bool isSurelyGlobal(const Value &Pointer, const Value *Object) {
  if (!Object || isa<llvm::Argument, GlobalVariable>(Object))
    return true;
  if (const auto *Type = dyn_cast<PointerType>(Pointer.getType());
      Type && Type->getAddressSpace() == 1)
    return true;
  const auto *Load = dyn_cast<LoadInst>(Object);
  if (!Load)
    return false;
  const lowering::ObjectInfo From =
      lowering::objectOf(Load->getPointerOperand());
  return From.Parameter || From.Memory == Space::Global ||
         From.Memory == Space::Constant;
}

Touch touchBy(const Value &Pointer, const GlobalVariable &Array) {
  const lowering::ObjectInfo Its = lowering::objectOf(&Pointer);
  switch (Its.Memory) {
  case Space::Constant:
  case Space::Local:
  case Space::Texture:
    return Touch::No;
  case Space::Global:
    return isSurelyGlobal(Pointer, Its.Object) ? Touch::No : Touch::Other;
  case Space::Generic:
    return Touch::Other;
  case Space::Shared:
    break;
  }
  const auto *There = dyn_cast_or_null<GlobalVariable>(Its.Object);
  if (There == &Array)
    return Touch::Plain;
  // All of dynamic shared memory begins at the same place.
  return !There || (There->isDeclaration() && Array.isDeclaration())
             ? Touch::Other
             : Touch::No;
}

Touch touchBy(const Instruction &I, const GlobalVariable &Array) {
  if (!I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd())
    return Touch::No;
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && Call->isAssumeLikeIntrinsic())
    return Touch::No;
  const MemoryReference R = memoryReference(I);
  if (!R.Pointer)
    return Touch::Other;
  const Touch Its = touchBy(*R.Pointer, Array);
  return Its == Touch::Plain && !isa<LoadInst, StoreInst>(I) ? Touch::Other
                                                             : Its;
}

class Finder {
  Function &F;
  const llvm::LoopInfo &Loops;
  CarriedWords Found;
  /// An access of each word.
  SmallVector<const Value *, 4> Words;

public:
  Finder(Function &F, const llvm::LoopInfo &Loops) : F(F), Loops(Loops) {}

  CarriedWords run() {
    for (Instruction &I : instructions(F)) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !Store->isVolatile() || Found.contains(&I))
        continue;
      const lowering::ObjectInfo Object =
          lowering::objectOf(Store->getPointerOperand());
      const auto *Array = dyn_cast_or_null<GlobalVariable>(Object.Object);
      if (Object.Memory == Space::Shared && Array)
        find(*Array, Loops.getLoopFor(I.getParent()));
    }
    return std::move(Found);
  }

private:
  using Accesses = SmallVector<const Instruction *, 8>;

  void find(const GlobalVariable &Array, const Loop *Innermost) {
    const Loop *Widest = nullptr;
    Accesses InIt;
    for (const Loop *L = Innermost; L; L = L->getParentLoop())
      if (std::optional<Accesses> All = accessesIn(*L, Array);
          All && comeInPairs(*All) && isAlone(*L, Array, *All)) {
        Widest = L;
        InIt = std::move(*All);
      }
    for (const Instruction *I : InIt)
      Found[I] = {Widest, wordOf(getLoadStorePointerOperand(I))};
  }

  unsigned wordOf(const Value *Pointer) {
    const auto Known = find_if(
        Words, [&](const Value *Other) { return areSame(Pointer, Other); });
    if (Known == Words.end()) {
      Words.push_back(Pointer);
      return unsigned(Words.size()) - 1;
    }
    return unsigned(Known - Words.begin());
  }

  /// All accesses of \p Array in \p L. Nothing where they are not the same in
  /// each round, or where lanes or warps may meet.
  static std::optional<Accesses> accessesIn(const Loop &L,
                                            const GlobalVariable &Array) {
    if (!L.getLoopPreheader())
      return std::nullopt;
    Accesses All;
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block) {
        const Touch Its = touchBy(I, Array);
        if (Its == Touch::Other || I.isAtomic())
          return std::nullopt;
        if (Its == Touch::No)
          continue;
        if (!isVolatile(I) || !isInvariant(getLoadStorePointerOperand(&I), L))
          return std::nullopt;
        All.push_back(&I);
      }
    return All;
  }

  /// Whether each word is loaded and stored, all of it.
  static bool comeInPairs(const Accesses &All) {
    return all_of(All, [&](const Instruction *I) {
      return any_of(All, [&](const Instruction *Other) {
        return isa<LoadInst>(I) != isa<LoadInst>(Other) &&
               getLoadStoreType(const_cast<Instruction *>(I)) ==
                   getLoadStoreType(const_cast<Instruction *>(Other)) &&
               areSame(getLoadStorePointerOperand(I),
                       getLoadStorePointerOperand(Other));
      });
    });
  }

  /// Whether what else accesses \p Array is kept apart from \p L by barriers,
  /// or goes to the words of \p Own.
  bool isAlone(const Loop &L, const GlobalVariable &Array,
               const Accesses &Own) const {
    const auto isOwn = [&](const Instruction &I) {
      return any_of(Own, [&](const Instruction *Mine) {
        return areSame(getLoadStorePointerOperand(Mine),
                       getLoadStorePointerOperand(&I));
      });
    };
    // Between two barriers threads run what can be reached from the first
    // without another one.
    SmallVector<const Instruction *, 8> Starts{&F.getEntryBlock().front()};
    for (const Instruction &I : instructions(F))
      if (isFullBarrier(I))
        Starts.push_back(I.getNextNode());
    return all_of(Starts, [&](const Instruction *Start) {
      bool RunsLoop = false, HasOthers = false;
      visitFrom(*Start, [&](const Instruction &I) {
        if (L.contains(&I)) {
          RunsLoop = true;
          return;
        }
        const Touch Its = touchBy(I, Array);
        HasOthers |= Its == Touch::Other || (Its == Touch::Plain && !isOwn(I));
      });
      return !RunsLoop || !HasOthers;
    });
  }

  /// Calls \p Do with all that a thread may run from \p Start on before it
  /// comes to a barrier.
  static void visitFrom(const Instruction &Start,
                        function_ref<void(const Instruction &)> Do) {
    SmallVector<const Instruction *, 16> Pending{&Start};
    SmallPtrSet<const BasicBlock *, 16> Seen; // entered at their beginning
    while (!Pending.empty()) {
      const Instruction *I = Pending.pop_back_val();
      const BasicBlock *Block = I->getParent();
      for (; I && !isFullBarrier(*I); I = I->getNextNode())
        Do(*I);
      if (I)
        continue;
      for (const BasicBlock *Next : successors(Block))
        if (Seen.insert(Next).second)
          Pending.push_back(&Next->front());
    }
  }
};

} // namespace

CarriedWords carriedWords(Function &F, const llvm::LoopInfo &Loops) {
  return Finder(F, Loops).run();
}

} // namespace warpwise::access
