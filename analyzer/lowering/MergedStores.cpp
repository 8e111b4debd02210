//===- MergedStores.cpp - Stores that end the arms of a branch ------------===//

#include "analyzer/lowering/MergedStores.h"

#include "analyzer/lowering/MemoryInstructions.h"

#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <tuple>

using namespace llvm;

namespace warpwise::lowering {
namespace {

constexpr StringLiteral Locations = "warpwise.locations";

/// The store that ends \p Arm, if nothing keeps it there.
StoreInst *lastStoreOf(BasicBlock &Arm) {
  auto *Store = dyn_cast_or_null<StoreInst>(
      Arm.getTerminator()->getPrevNonDebugInstruction());
  return Store && Store->isSimple() &&
                 !Store->getValueOperand()->getType()->isVectorTy() &&
                 !isOfThread(Store->getPointerOperand())
             ? Store
             : nullptr;
}

/// Whether two addresses, each of another arm, are one. \p Casts: what an arm
/// converts may be part of them.
bool isSameAddress(const Value *A, const Value *B, bool Casts) {
  if (A == B)
    return true; // there before the branch
  auto *First = dyn_cast<Instruction>(A), *Second = dyn_cast<Instruction>(B);
  return First && Second && First->isSameOperationAs(Second) &&
         (isa<GetElementPtrInst>(First) || (Casts && isa<CastInst>(First))) &&
         all_of(zip(First->operands(), Second->operands()), [&](auto Pair) {
           return isSameAddress(std::get<0>(Pair), std::get<1>(Pair), Casts);
         });
}

/// Whether \p Address is an element with the number \p Index.
bool isIndexedBy(const Value *Address, const Value *Index) {
  if (Address == Index)
    return true;
  auto *I = dyn_cast<Instruction>(Address);
  return I && (isa<GetElementPtrInst>(I) || isa<CastInst>(I)) &&
         any_of(I->operands(),
                [&](const Use &U) { return isIndexedBy(U.get(), Index); });
}

/// The value that is one certain number wherever the way from \p From leads to
/// \p To, or null.
const Value *equalToNumber(const BasicBlock &From, const BasicBlock &To) {
  using namespace PatternMatch;
  if (auto *Switch = dyn_cast<SwitchInst>(From.getTerminator()))
    return Switch->getDefaultDest() != &To ? Switch->getCondition() : nullptr;
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  ICmpInst::Predicate Relation;
  Value *Compared = nullptr;
  if (!Branch || !Branch->isConditional() ||
      !match(Branch->getCondition(),
             m_ICmp(Relation, m_Value(Compared), m_ConstantInt())))
    return nullptr;
  const auto Wanted =
      Branch->getSuccessor(0) == &To ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE;
  return Relation == Wanted ? Compared : nullptr;
}

/// if (i == 3) a[i] = x: nvcc writes to a[3] there, which is another address.
bool isNumberThere(const Value *Address, const BasicBlock &Arm) {
  constexpr unsigned Farthest = 8;
  const BasicBlock *To = &Arm;
  for (unsigned N = 0; N != Farthest; ++N) {
    const BasicBlock *From = To->getSinglePredecessor();
    if (!From)
      return false;
    if (const Value *Known = equalToNumber(*From, *To);
        Known && isIndexedBy(Address, Known))
      return true;
    To = From;
  }
  return false;
}

/// Whether nothing but \p Store in its block has to do with memory.
bool isOnlyAccess(const StoreInst &Store) {
  return all_of(*Store.getParent(), [&](const Instruction &I) {
    return &I == &Store ||
           !(I.mayReadOrWriteMemory() || I.mayHaveSideEffects());
  });
}

bool canMerge(ArrayRef<StoreInst *> Stores) {
  const StoreInst &First = *Stores.front();
  const bool Casts = all_of(
      Stores, [](const StoreInst *Store) { return isOnlyAccess(*Store); });
  return all_of(Stores, [&](const StoreInst *Store) {
    const Value *Address = Store->getPointerOperand();
    return Store->getValueOperand()->getType() ==
               First.getValueOperand()->getType() &&
           isSameAddress(First.getPointerOperand(), Address, Casts) &&
           (Casts || !isNumberThere(Address, *Store->getParent()));
  });
}

/// \p Address, which an arm has to itself, computed again.
Value *recompute(Value *Address, const BasicBlock &Arm,
                 IRBuilderBase &Builder) {
  auto *I = dyn_cast<Instruction>(Address);
  if (!I || I->getParent() != &Arm)
    return Address;
  Instruction *Copy = I->clone();
  for (Use &Operand : Copy->operands())
    Operand = recompute(Operand.get(), Arm, Builder);
  return Builder.Insert(Copy);
}

void noteLocations(StoreInst &Merged, ArrayRef<StoreInst *> Stores) {
  SmallSetVector<const DILocation *, 4> All;
  for (const StoreInst *Store : Stores)
    for (const DILocation *At : locationsOf(*Store))
      All.insert(At);
  if (All.empty())
    return;
  SmallVector<const DILocation *, 4> Sorted = All.takeVector();
  llvm::sort(Sorted, [](const DILocation *A, const DILocation *B) {
    return std::tuple(A->getLine(), A->getColumn()) <
           std::tuple(B->getLine(), B->getColumn());
  });
  Merged.setDebugLoc(Sorted.front());
  SmallVector<Metadata *, 4> Nodes;
  for (const DILocation *At : Sorted)
    Nodes.push_back(const_cast<DILocation *>(At));
  Merged.setMetadata(Locations, MDTuple::get(Merged.getContext(), Nodes));
}

void merge(ArrayRef<StoreInst *> Stores, BasicBlock &Behind) {
  StoreInst &First = *Stores.front();
  Value *Stored = First.getValueOperand();
  IRBuilder<> Builder(&Behind, Behind.getFirstInsertionPt());
  if (any_of(Stores, [&](const StoreInst *Store) {
        return Store->getValueOperand() != Stored;
      })) {
    PHINode *Chosen =
        PHINode::Create(Stored->getType(), Stores.size(), "", Behind.begin());
    for (StoreInst *Store : Stores)
      Chosen->addIncoming(Store->getValueOperand(), Store->getParent());
    Stored = Chosen;
  }
  Align Known = First.getAlign();
  for (const StoreInst *Store : Stores)
    Known = std::min(Known, Store->getAlign());
  StoreInst *Merged = Builder.CreateAlignedStore(
      Stored, recompute(First.getPointerOperand(), *First.getParent(), Builder),
      Known);
  noteLocations(*Merged, Stores);
  for (StoreInst *Store : Stores) {
    Value *Address = Store->getPointerOperand();
    Store->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Address);
  }
}

/// Merges what the blocks before \p Behind end with. False when there is
/// nothing.
bool mergeBefore(BasicBlock &Behind) {
  SmallVector<StoreInst *, 4> Stores;
  for (BasicBlock *Arm : predecessors(&Behind)) {
    auto *End = dyn_cast<BranchInst>(Arm->getTerminator());
    StoreInst *Store =
        End && End->isUnconditional() ? lastStoreOf(*Arm) : nullptr;
    if (!Store)
      return false;
    Stores.push_back(Store);
  }
  if (Stores.size() < 2 || !canMerge(Stores))
    return false;
  merge(Stores, Behind);
  return true;
}

/// The first line that \p Part was computed in.
const DILocation *originOf(const Value *Part, unsigned Depth = 0) {
  constexpr unsigned Deepest = 4;
  auto *I = dyn_cast_or_null<Instruction>(Part);
  if (!I || Depth == Deepest)
    return nullptr;
  if (const DILocation *At = I->getDebugLoc().get(); At && At->getLine() != 0)
    return At;
  for (const Use &Operand : I->operands())
    if (const DILocation *At = originOf(Operand.get(), Depth + 1))
      return At;
  return nullptr;
}

/// The line of \p I, if it has one.
const DILocation *lineOf(const Instruction &I) {
  const DILocation *At = I.getDebugLoc().get();
  return At && At->getLine() != 0 ? At : nullptr;
}

unsigned framesOf(const DILocation *At) {
  unsigned Frames = 0;
  for (; At; At = At->getInlinedAt())
    ++Frames;
  return Frames;
}

/// \p Other, or the call that leads there from the function of \p At: loads
/// are merged before calls are inlined.
const DILocation *inFrameOf(const DILocation &At, const DILocation &Other) {
  const unsigned Frames = framesOf(&At);
  const DILocation *Found = &Other;
  for (unsigned Left = framesOf(Found); Left > Frames; --Left)
    Found = Found->getInlinedAt();
  return Found;
}

/// Of what LLVM has merged, which has no line: for a load the line of what
/// comes next where the arms meet, as nvcc's line tables have it, else the one
/// that uses it, else one that its parts are computed in.
const DILocation *substituteFor(const Instruction &I) {
  if (isa<LoadInst>(I)) {
    for (const Instruction *Next = I.getNextNonDebugInstruction(); Next;
         Next = Next->getNextNonDebugInstruction())
      if (const DILocation *At = lineOf(*Next))
        if (const DILocation *Here = inFrameOf(*I.getDebugLoc(), *At);
            Here->getLine() != 0)
          return Here;
    for (const User *U : I.users())
      if (const DILocation *At = lineOf(*cast<Instruction>(U)))
        return At;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I))
    if (const DILocation *At = originOf(Store->getValueOperand()))
      return At;
  return originOf(getLoadStorePointerOperand(&I));
}

/// Adds the lines in which the addresses are computed that \p Address may be,
/// by the way that leads there: the first that there are before a phi. What the
/// ways share stands behind it, and has no line either.
void addWaysTo(const Value &Address, SmallVectorImpl<const DILocation *> &To) {
  constexpr unsigned Most = 64;
  SmallSetVector<PointerIntPair<const Instruction *, 1, bool>, 16> Parts;
  const auto add = [&](const Value *Part, bool IsOfWay) {
    if (const auto *Computed = dyn_cast<Instruction>(Part))
      Parts.insert({Computed, IsOfWay});
  };
  add(&Address, false);
  for (unsigned N = 0; N != Parts.size() && N != Most; ++N) {
    const Instruction *Part = Parts[N].getPointer();
    const bool IsOfWay = Parts[N].getInt();
    const bool Joins = isa<PHINode>(Part);
    const DILocation *At = Joins ? nullptr : lineOf(*Part);
    if (At && IsOfWay && !is_contained(To, At))
      To.push_back(At);
    if (!At)
      for (const Use &Operand : Part->operands())
        add(Operand.get(), IsOfWay || Joins);
  }
}

} // namespace

void mergeStoresOfArms(Function &F) {
  // What is merged may end an arm of the branch around it.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &Block : F)
      while (mergeBefore(Block))
        Changed = true;
  }
}

SmallVector<const DILocation *, 2> locationsOf(const Instruction &I) {
  if (const MDNode *Several = I.getMetadata(Locations)) {
    SmallVector<const DILocation *, 2> Found;
    for (const MDOperand &At : Several->operands())
      Found.push_back(cast<DILocation>(At));
    return Found;
  }
  const DILocation *At = I.getDebugLoc().get();
  if (!At || At->getLine() != 0)
    return At ? SmallVector<const DILocation *, 2>{At}
              : SmallVector<const DILocation *, 2>();
  SmallVector<const DILocation *, 2> Found;
  // Each of several loads is on the line of its address, where nvcc keeps them
  // apart, and that is where a reader looks for it.
  if (isa<LoadInst>(I))
    addWaysTo(*getLoadStorePointerOperand(&I), Found);
  if (const DILocation *Better = substituteFor(I);
      Better && !is_contained(Found, Better))
    Found.push_back(Better);
  if (Found.empty())
    Found.push_back(At);
  return Found;
}

} // namespace warpwise::lowering
