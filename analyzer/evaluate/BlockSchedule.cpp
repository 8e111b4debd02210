//===- BlockSchedule.cpp - What a basic block takes of a warp -------------===//

#include "analyzer/evaluate/BlockSchedule.h"

#include "analyzer/evaluate/InstructionPrice.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/evaluate/WideLoads.h"
#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace llvm;

namespace warpwise::access {
namespace {

/// nvcc writes four rounds of a loop one after the other whose number it does
/// not know, and of one that it writes out as a whole it runs at most so many
/// side by side: then registers run out. Both fit the ground truth's
/// instructions and times.
constexpr unsigned UsualUnroll = 4, MostAtOnce = 16;

bool isLoad(const Instruction &I) {
  const MemoryReference R = memoryReference(I);
  return R.Pointer && R.Reads;
}

/// Whether \p I computes the same in every round of \p L, so that it is moved
/// out of it. What \p IsGiven is there without being computed.
bool isInvariant(
    const Instruction &I, const Loop &L,
    DenseMap<const Instruction *, bool> &Known,
    function_ref<bool(const Instruction &)> IsGiven = [](const Instruction &) {
      return false;
    }) {
  if (!L.contains(&I) || IsGiven(I))
    return true;
  if (I.mayReadOrWriteMemory() || isa<PHINode>(I) || I.isTerminator())
    return false;
  if (const auto At = Known.find(&I); At != Known.end())
    return At->second;
  Known[&I] = false; // what hangs on itself is not invariant
  const bool Same = all_of(I.operands(), [&](const Use &U) {
    const auto *Operand = dyn_cast<Instruction>(U.get());
    return !Operand || isInvariant(*Operand, L, Known, IsGiven);
  });
  return Known[&I] = Same;
}

/// Whether \p I is a sum, or what InstCombine makes of one whose operands have
/// no bit in common.
bool isSum(const Instruction &I) {
  const auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
  return I.getOpcode() == Instruction::Add || (Or && Or->isDisjoint());
}

/// A function of its operands and of nothing else, such as a minimum.
bool isPlainIntrinsic(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && !Call->getCalledFunction()->getName().starts_with("llvm.nvvm");
}

/// How a number grows from round to round of a loop.
enum class Growth {
  None,     ///< it is the same in every round
  Constant, ///< by as much each time, and the code says by how much
  Even,     ///< by as much each time, which only the launch says
  Unknown
};

/// Numbers that grow evenly: compilers keep one sum for each address instead of
/// computing it again in every round.
class Counting {
  const Loop *L;
  bool IsWhole; ///< each round is written out: its counter is a constant
  std::unique_ptr<Counting> Outer; ///< of the loop around, if that is, too
  DenseMap<const Instruction *, bool> Invariant, InAll;
  DenseMap<const Instruction *, Growth> Known;
  DenseMap<const Instruction *, bool> Folds;
  DenseMap<const Instruction *, bool> Apart; ///< see differsByConstants

  Growth ofPhi(const PHINode &Phi) {
    const BasicBlock *Latch = L->getLoopLatch();
    if (Phi.getParent() != L->getHeader() || !Latch)
      return Growth::Unknown;
    const auto *Next =
        dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
    if (!Next || !isa<BinaryOperator, GetElementPtrInst>(Next) ||
        !is_contained(Next->operands(), &Phi))
      return Growth::Unknown;
    if (isa<BinaryOperator>(Next) && Next->getOpcode() != Instruction::Add &&
        Next->getOpcode() != Instruction::Sub)
      return Growth::Unknown;
    Growth By = Growth::Constant;
    for (const Value *Operand : Next->operands())
      if (Operand != &Phi && !isa<llvm::Constant>(Operand)) {
        const auto *I = dyn_cast<Instruction>(Operand);
        if (I && !isInvariant(*I, *L, Invariant))
          return Growth::Unknown;
        By = Growth::Even;
      }
    return By;
  }

  /// A variable of the loop that begins as a constant, or as one in each round
  /// of the loop around, and of which each next value is computed from
  /// constants and such variables.
  bool isFoldedPhi(const PHINode &Phi) {
    if (const auto At = Folds.find(&Phi); At != Folds.end())
      return At->second;
    const BasicBlock *Latch = L->getLoopLatch(),
                     *Before = L->getLoopPreheader();
    if (Phi.getParent() != L->getHeader() || !Latch || !Before)
      return false;
    const Value *First = Phi.getIncomingValueForBlock(Before);
    if (!isa<llvm::Constant>(First) && !(Outer && Outer->isFoldedValue(First)))
      return false;
    Folds[&Phi] = true; // as far as it hangs on itself
    if (isFoldedValue(Phi.getIncomingValueForBlock(Latch)))
      return true;
    Folds.clear(); // what was found by that
    return Folds[&Phi] = false;
  }

  bool isFoldedValue(const Value *V) {
    if (isa<llvm::Constant>(V))
      return true;
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || I->mayReadOrWriteMemory() || isa<AllocaInst>(I) ||
        (isa<CallInst>(I) && !isPlainIntrinsic(*I)))
      return false;
    if (!L->contains(I))
      return Outer && Outer->isFoldedValue(V);
    if (const auto *Phi = dyn_cast<PHINode>(I))
      return isFoldedPhi(*Phi);
    if (const auto At = Folds.find(I); At != Folds.end())
      return At->second;
    // What hangs on itself does so through a variable of the loop.
    const bool Folded = all_of(
        I->operands(), [&](const Use &U) { return isFoldedValue(U.get()); });
    return Folds[I] = Folded;
  }

  Growth compute(const Instruction &I) {
    if (isFolded(I))
      return Growth::Constant;
    if (const auto *Phi = dyn_cast<PHINode>(&I))
      return ofPhi(*Phi);
    switch (I.getOpcode()) {
    case Instruction::Or:
      if (!isSum(I))
        return Growth::Unknown;
      [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::GetElementPtr: {
      Growth Most = Growth::None;
      for (const Value *Operand : I.operands())
        Most = std::max(Most, of(Operand));
      return Most;
    }
    case Instruction::Mul:
    case Instruction::Shl: {
      const Growth Of = of(I.getOperand(0)), By = of(I.getOperand(1));
      if (Of != Growth::None && By != Growth::None)
        return Growth::Unknown;
      if (I.getOpcode() == Instruction::Shl && By != Growth::None)
        return Growth::Unknown;
      const Growth Both = std::max(Of, By);
      return Both == Growth::Constant &&
                     !isa<llvm::Constant>(I.getOperand(0)) &&
                     !isa<llvm::Constant>(I.getOperand(1))
                 ? Growth::Even
                 : Both;
    }
    default:
      return Growth::Unknown;
    }
  }

  /// Whether \p I adds up what differs by constants, as
  /// differsByConstants has it.
  bool addsUpSuch(const Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::Or:
      if (!isSum(I))
        return false;
      break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::GetElementPtr:
      break;
    case Instruction::Mul:
    case Instruction::Shl:
      if (!isa<llvm::Constant>(I.getOperand(1)))
        return false;
      break;
    default:
      return false;
    }
    return all_of(I.operands(),
                  [&](const Use &U) { return differsByConstants(U.get()); });
  }

public:
  /// \p Whole as in Unrolling.
  explicit Counting(const Loop *L, ArrayRef<unsigned> Whole = {})
      : L(L), IsWhole(!Whole.empty()) {
    if (Whole.size() > 1)
      Outer =
          std::make_unique<Counting>(L->getParentLoop(), Whole.drop_front());
  }

  bool isWhole() const { return IsWhole; }

  /// Whether \p I is a constant in each of the rounds that are written out.
  bool isFolded(const Instruction &I) {
    return !I.isTerminator() && !isa<GetElementPtrInst>(I) && isWrittenOut(&I);
  }

  /// Whether \p V is a constant in each of the rounds that are written out.
  bool isWrittenOut(const Value *V) { return IsWhole && isFoldedValue(V); }

  /// Of all the loops that are written out, one in the other.
  const Loop *outermost() const { return Outer ? Outer->outermost() : L; }

  /// Whether all the rounds that are written out have the same value but for
  /// constants that are added to it.
  bool differsByConstants(const Value *V) {
    if (isWrittenOut(V))
      return true;
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || isInvariant(*I, *outermost(), InAll))
      return true;
    if (const auto At = Apart.find(I); At != Apart.end())
      return At->second;
    Apart[I] = false; // what hangs on itself does not
    return Apart[I] = addsUpSuch(*I);
  }

  Growth of(const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !L || isInvariant(*I, *L, Invariant))
      return Growth::None;
    if (const auto At = Known.find(I); At != Known.end())
      return At->second;
    Known[I] = Growth::Unknown; // unless it is found to be otherwise
    const Growth Found = compute(*I);
    return Known[I] = Found;
  }

  /// Whether \p I is part of nothing but addresses that grow evenly.
  bool isAbsorbed(const Instruction &I) {
    if (!isa<BinaryOperator, SExtInst, ZExtInst>(I) ||
        !I.getType()->isIntegerTy())
      return false;
    const Growth Own = of(&I);
    return (Own == Growth::Constant || Own == Growth::Even) &&
           all_of(I.users(), [&](const User *U) {
             const auto *By = dyn_cast<Instruction>(U);
             return By && (isa<GetElementPtrInst>(By) ||
                           (isa<BinaryOperator, SExtInst, ZExtInst>(By) &&
                            isAbsorbed(*By)));
           });
  }
};

/// Whether \p V is a 32-bit number without sign that may wrap around before it
/// becomes one of 64 bits: what is added to it does not fit into an address.
bool mayWrap(const Value *V) {
  const auto *Wide = dyn_cast<ZExtInst>(V);
  const auto *Sum =
      Wide ? dyn_cast<OverflowingBinaryOperator>(Wide->getOperand(0)) : nullptr;
  return Sum && Wide->getType()->getScalarSizeInBits() > 32 &&
         !Sum->hasNoUnsignedWrap();
}

/// \p Index without what is added to it as a constant, which fits into the
/// instruction that accesses memory.
const Value *withoutConstant(const Value *Index) {
  for (;;) {
    const auto *I = dyn_cast<Instruction>(Index);
    if (!I)
      return Index;
    const bool AddsConstant =
        (isSum(*I) || I->getOpcode() == Instruction::Sub) &&
        isa<llvm::Constant>(I->getOperand(1));
    if ((!AddsConstant && !isa<SExtInst, ZExtInst>(I)) || mayWrap(I))
      return Index;
    Index = I->getOperand(0);
  }
}

/// Numbers that a loop which is written out as a whole computes, each round its
/// own, but the loop around it always the same: nvcc computes them once.
class ComputedOnce {
  /// A loop around some of those written out.
  struct Level {
    const Loop *Around;
    Counting Inside;                          ///< of the loops in it
    DenseMap<const Instruction *, bool> Same; ///< in all its rounds
    Level(const Loop *Around, const Loop *Innermost, ArrayRef<unsigned> Whole)
        : Around(Around), Inside(Innermost, Whole) {}
  };
  std::vector<Level> Levels;

public:
  /// \p Innermost lies in \p Whole, as in Unrolling. What does not fit in
  /// registers is computed again.
  ComputedOnce(const Loop *Innermost, ArrayRef<unsigned> Whole) {
    unsigned Rounds = 1;
    const Loop *Around = Innermost;
    for (size_t Inside = 1; Inside <= Whole.size(); ++Inside) {
      Rounds *= Whole[Inside - 1];
      Around = Around->getParentLoop();
      if (!Around || Rounds > MostAtOnce)
        break;
      Levels.emplace_back(Around, Innermost, Whole.take_front(Inside));
    }
  }

  bool contains(const Instruction &I) {
    return any_of(Levels, [&](Level &Its) {
      return isInvariant(I, *Its.Around, Its.Same, [&](const Instruction &Of) {
        return Its.Inside.isWrittenOut(&Of);
      });
    });
  }
};

/// The longest way of results from a variable of the loop to its next value.
class Recurrence {
  const Loop &L;
  const PHINode *From = nullptr;
  DenseMap<const Instruction *, float> Longest;

  /// Less than 0: the variable is not in it.
  float upTo(const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return -1;
    if (I == From)
      return 0;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      return -1;
    if (const auto At = Longest.find(I); At != Longest.end())
      return At->second;
    Longest[I] = -1;
    float Most = -1;
    for (const Value *Operand : I->operands())
      Most = std::max(Most, upTo(Operand));
    if (Most >= 0)
      Most += priceOf(*I).Steps;
    return Longest[I] = Most;
  }

public:
  explicit Recurrence(const Loop &L) : L(L) {}

  float steps() {
    const BasicBlock *Latch = L.getLoopLatch();
    float Most = 0;
    if (!Latch)
      return Most;
    for (const PHINode &P : L.getHeader()->phis()) {
      From = &P;
      Longest.clear();
      Most = std::max(Most, upTo(P.getIncomingValueForBlock(Latch)));
    }
    return Most;
  }
};

} // namespace

/// Whether the number of rounds of \p L is known before the first.
static bool isCounted(const Loop &L) {
  const BasicBlock *Exiting = L.getExitingBlock();
  const auto *Branch =
      Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  const auto *Test =
      Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Test)
    return false;
  Counting Counted(&L);
  const Growth Most = std::max(Counted.of(Test->getOperand(0)),
                               Counted.of(Test->getOperand(1)));
  return Most == Growth::Constant || Most == Growth::Even;
}

/// Whether every round of \p L runs through a branch that nvcc makes of one of
/// its instructions: no load moves over it, and what was loaded before it is
/// used before the next load.
static bool hasSlowPath(const Loop &L, ArrayRef<unsigned> Whole) {
  Counting Counted(&L, Whole);
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) {
      return hasSlowPath(I) && Counted.of(&I) != Growth::None &&
             !Counted.isFolded(I);
    });
  });
}

/// Whether a round of \p L need not wait for the one before it.
static bool canOverlap(const Loop &L, ArrayRef<unsigned> Whole, Pointers Known,
                       const CarriedWords &InRegisters) {
  if (hasSlowPath(L, Whole))
    return false;
  SmallPtrSet<const Value *, 16> Loaded;
  SmallPtrSet<const Value *, 8> LoadedFrom, StoredTo; // arguments that are told
                                                      // apart
  std::array<bool, 2> Loads{}, Stores{}; // of global, of shared memory
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (InRegisters.contains(&I))
        continue;
      if (I.isAtomic())
        return false;
      const MemoryReference R = memoryReference(I);
      if (R.Pointer) {
        const lowering::ObjectInfo Object = lowering::objectOf(R.Pointer);
        const unsigned Which = Object.Memory == access::Space::Shared;
        const auto *A = dyn_cast_or_null<llvm::Argument>(Object.Object);
        if (A && Known == Pointers::Restricted) {
          if (R.Reads)
            LoadedFrom.insert(A);
          if (R.Writes)
            StoredTo.insert(A);
        }
        const bool Counts =
            Object.Memory != Space::Local && Object.Memory != Space::Constant &&
            !(A && (A->hasNoAliasAttr() || Known == Pointers::Restricted));
        Loads[Which] |= Counts && R.Reads;
        Stores[Which] |= Counts && R.Writes;
      }
      const bool Uses = any_of(
          I.operands(), [&](const Use &U) { return Loaded.contains(U.get()); });
      if (Uses && R.Pointer && Loaded.contains(R.Pointer))
        return false; // the next address comes out of memory
      if (Uses && I.isTerminator())
        return false; // so does whether there is a next round
      if ((R.Pointer && R.Reads) ||
          (Uses &&
           (isa<GetElementPtrInst>(I) || isa<CmpInst>(I) || isa<CastInst>(I))))
        Loaded.insert(&I);
    }
  // A store that may hit what the next round loads keeps it waiting.
  return !(Loads[0] && Stores[0]) && !(Loads[1] && Stores[1]) &&
         none_of(StoredTo,
                 [&](const Value *A) { return LoadedFrom.contains(A); });
}

/// Of the rounds of \p L, which is written out as a whole and so are all loops
/// in it; else 0.
static unsigned roundsWrittenOut(const Loop &L, const UnrolledLoops &Unrolled) {
  unsigned Rounds = Unrolled.Whole.lookup(&L);
  if (Rounds == 0)
    Rounds = Unrolled.WholeButForMemory.lookup(&L);
  return all_of(L,
                [&](const Loop *Inner) {
                  return roundsWrittenOut(*Inner, Unrolled) != 0;
                })
             ? Rounds
             : 0;
}

/// Of \p L, in which there are others, the rounds that are a row of
/// instructions.
static unsigned partOf(const Loop &L, const UnrolledLoops &Unrolled) {
  const bool IsRow = Unrolled.Parts.contains(&L) && !hasBarrier(L) &&
                     all_of(L, [&](const Loop *In) {
                       return roundsWrittenOut(*In, Unrolled) != 0;
                     });
  return IsRow ? Unrolled.Parts.lookup(&L) : 1;
}

Unrolling unrollingOf(const Loop &L, const UnrolledLoops &Unrolled,
                      Pointers Known, const CarriedWords &InRegisters) {
  Unrolling Result;
  const Loop *Around = &L;
  for (; Around; Around = Around->getParentLoop()) {
    const unsigned Its = roundsWrittenOut(*Around, Unrolled);
    if (Its == 0)
      break;
    Result.Whole.push_back(Its);
  }
  if (Around && !Around->isInnermost())
    Result.Part = partOf(*Around, Unrolled);
  const unsigned Rounds = Result.isWhole() ? Result.Whole.front()
                          : Unrolled.Parts.contains(&L)
                              ? Unrolled.Parts.lookup(&L)
                              : UsualUnroll;
  // What is written out as a whole is a row of instructions, whatever loops it
  // was written with.
  if ((!L.isInnermost() && !Result.isWhole()) || hasBarrier(L)) {
    Result.Written = Result.isWhole() ? Rounds : 1;
    if (Result.Part > 1 && canOverlap(L, {}, Known, InRegisters))
      Result.AtOnce = Result.Part;
    return Result;
  }
  if (Result.isWhole() || isCounted(L))
    Result.Written = Rounds;
  ArrayRef<unsigned> Whole = Result.Whole;
  if (!canOverlap(L, Whole, Known, InRegisters))
    return Result;
  Result.AtOnce = Rounds;
  for (const Loop *Outer = L.getParentLoop(); Whole.size() > 1;
       Outer = Outer->getParentLoop()) {
    Whole = Whole.drop_front();
    if (!canOverlap(*Outer, Whole, Known, InRegisters))
      break;
    Result.AtOnce *= Whole.front();
  }
  if (Result.Part > 1 && Whole.size() == 1 &&
      canOverlap(*Around, {}, Known, InRegisters))
    Result.AtOnce *= Result.Part;
  Result.AtOnce = std::min(Result.AtOnce, MostAtOnce);
  return Result;
}

namespace {

/// One pass over a block, from the first instruction to the last.
class Scheduler {
  const BasicBlock &Block;
  const Loop *const Around;
  const float AtOnce, Written;
  float AllWritten = 1; ///< rounds of all loops that are written out
  const SmallVector<unsigned, 4> Whole; ///< as in Unrolling
  const unsigned Part;                  ///< the same
  BlockSchedule Result;
  Counting Counted;
  ComputedOnce Once;
  /// Results that were computed one after the other to get there.
  DenseMap<const Instruction *, float> Depth;
  /// Loads that have to be waited for before it can start.
  DenseMap<const Instruction *, unsigned> Rank;
  DenseSet<size_t> Computed;
  /// No load of global (0) or shared memory (1) moves before the last store
  /// there, and that one waits for what it stores.
  std::array<unsigned, 2> Earliest{};
  unsigned LastStore = 0;
  /// Nothing moves before the last branch that is made of an instruction.
  float Branched = 0;
  float Deepest = 0, Slots = 0;

public:
  Scheduler(const BasicBlock &Block, const Loop *Around,
            const Unrolling &Rounds)
      : Block(Block), Around(Around), AtOnce(float(Rounds.AtOnce)),
        Written(float(Rounds.Written)), Whole(Rounds.Whole), Part(Rounds.Part),
        Counted(Around, Rounds.Whole), Once(Around, Rounds.Whole) {
    for (const unsigned Its : Whole)
      AllWritten *= float(Its);
  }

  BlockSchedule run() {
    if (Block.isEntryBlock())
      start();
    for (const Instruction &I : Block)
      if (!isa<PHINode>(I) && !(Around && Counted.of(&I) == Growth::None) &&
          !Once.contains(I))
        add(I);
    // An instruction is issued at most every cycle, a quarter of a step.
    constexpr float Slot = 0.25f;
    float Chain = Deepest;
    if (Around && AtOnce > 1)
      Chain = std::max(Deepest / AtOnce, Around->getHeader() == &Block
                                             ? Recurrence(*Around).steps()
                                             : 0);
    Result.ChainSteps = std::max(Chain, Slot * Slots);
    return std::move(Result);
  }

private:
  /// The branch that leaves the loop or goes on, and what it is decided by.
  bool endsRound(const Instruction &I) const {
    if (I.isTerminator())
      return Around->isLoopExiting(I.getParent());
    return isa<ICmpInst>(I) && all_of(I.users(), [&](const User *U) {
             const auto *By = cast<Instruction>(U);
             return By->isTerminator() &&
                    Around->isLoopExiting(By->getParent());
           });
  }

  /// What a variable of the loop becomes in the next round.
  bool isNextOfCounter(const Instruction &I) {
    const BasicBlock *Latch = Around->getLoopLatch();
    return Latch && Counted.of(&I) == Growth::Constant &&
           any_of(Around->getHeader()->phis(), [&](const PHINode &Phi) {
             return Phi.getIncomingValueForBlock(Latch) == &I;
           });
  }

  /// The loop's own counting is shared by the rounds that are written out.
  float shareOf(const Instruction &I) {
    const bool Counts = Around && (endsRound(I) || isNextOfCounter(I));
    return !Counts ? 1 : !Whole.empty() ? 0 : 1 / Written;
  }

  bool isComputedAlready(const Instruction &I) {
    if (!isa<BinaryOperator, CastInst, CmpInst>(I))
      return false;
    size_t Hash = hash_combine(I.getOpcode(), I.getType());
    if (const auto *C = dyn_cast<CmpInst>(&I))
      Hash = hash_combine(Hash, C->getPredicate());
    for (const Value *Operand : I.operands())
      Hash = hash_combine(Hash, Operand);
    return !Computed.insert(Hash).second;
  }

  /// Every kernel sets up its stack and its view of memory, and fetches the
  /// pointers that it is handed (read off cubins of nvcc 13).
  void start() {
    const Function &F = *Block.getParent();
    const auto Pointers = count_if(F.args(), [](const llvm::Argument &A) {
      return A.getType()->isPointerTy() && !A.use_empty();
    });
    Result.Issued[unsigned(Pipe::Other)] += 2 + float(Pointers);
    Slots += 2 + float(Pointers);
  }

  /// An address: its sum grows by one addition of 64 bits, for all rounds at
  /// once where the code says by how much, as the rest fits into the
  /// instructions that access memory.
  Price addressOf(const GetElementPtrInst &Address) {
    const bool IsInRegisters =
        lowering::objectOf(&Address).Memory == Space::Local &&
        all_of(Address.indices(),
               [&](const Use &Its) { return Counted.isWrittenOut(Its); });
    if (Address.hasAllConstantIndices() || IsInRegisters)
      return Free;
    if (Address.getNumIndices() == 1) {
      const size_t Hash = hash_combine(Address.getPointerOperand(),
                                       withoutConstant(Address.getOperand(1)),
                                       Address.getSourceElementType());
      if (!Computed.insert(Hash).second)
        return Free;
    }
    const auto *Wrapping = find_if(Address.indices(), mayWrap);
    // Shared memory takes 32 bits.
    if (Wrapping != Address.idx_end() &&
        Address.getPointerAddressSpace() != lowering::SharedSpace &&
        Counted.of(&Address) != Growth::None) {
      // Its last sum, as every round has its own, and one of 64 bits, which a
      // multiplication does in passing (read off cubins of nvcc 13).
      const bool IsByte = Address.getSourceElementType()->isIntegerTy(8);
      const auto &Sum =
          *cast<Instruction>(cast<Instruction>(*Wrapping)->getOperand(0));
      return {Pipe::Sum,
              (IsByte ? 2.f : 1.f) + (Counted.isAbsorbed(Sum) ? 1 : 0), 2};
    }
    if (Counted.isWhole() && Counted.differsByConstants(&Address))
      return {Pipe::Sum, 2 / AllWritten, 0};
    switch (Counted.of(&Address)) {
    case Growth::Constant:
      return {Pipe::Sum, 2 / Written, 0};
    case Growth::Even:
      return {Pipe::Sum, 1, 0};
    default:
      return {Pipe::Sum, 1, 1};
    }
  }

  Price priceHere(const Instruction &I) {
    if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
      return addressOf(*Address);
    const auto *Branch = dyn_cast<BranchInst>(&I);
    const bool IsDecided = Branch && Branch->isConditional() &&
                           Counted.isWrittenOut(Branch->getCondition());
    const bool IsFree = isComputedAlready(I) || Counted.isAbsorbed(I) ||
                        (Around && Counted.isFolded(I)) || IsDecided;
    return IsFree ? Free : priceOf(I);
  }

  /// Rounds that one load serves, or would in shared memory.
  unsigned roundsServed(const Instruction &I, FirstRound First) const {
    const auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Around || AtOnce < 2)
      return 1;
    // nvcc aligns what it lays out; where dynamic shared memory begins it does
    // not know.
    const auto *Array = dyn_cast_or_null<GlobalVariable>(
        lowering::objectOf(Load->getPointerOperand()).Object);
    if (Array && Array->isDeclaration())
      return 1;
    const bool IsPart = Whole.empty() && Part > 1;
    unsigned Served = roundsAtOnce(
        *Load, *Around, unsigned(IsPart ? AtOnce : std::min(AtOnce, Written)),
        First);
    // Or rounds of a loop around that are under way together, too.
    const Loop *Outer = Around;
    auto Others = unsigned(AtOnce);
    for (size_t N = 1; N < Whole.size(); ++N) {
      Outer = Outer->getParentLoop();
      Others /= Whole[N - 1];
      if (Others < 2)
        break;
      Served =
          std::max(Served, roundsAtOnce(*Load, *Outer,
                                        std::min(Others, Whole[N]), First));
    }
    if (!Whole.empty() && Part > 1 && Others / Whole.back() >= Part)
      Served = std::max(
          Served, roundsAtOnce(*Load, *Outer->getParentLoop(), Part, First));
    return Served;
  }

  void add(const Instruction &I) {
    const Price P = priceHere(I);
    const unsigned Served = roundsServed(I, FirstRound::AsWritten);
    float Share = isa<GetElementPtrInst>(I) ? 1 : shareOf(I);
    if (Served > 1 &&
        lowering::objectOf(cast<LoadInst>(I).getPointerOperand()).Memory ==
            Space::Shared)
      Share /= float(Served);
    Result.Issued[unsigned(P.Where)] += P.Count * Share;
    Result.Issued[unsigned(Pipe::Special)] += P.Special * Share;
    Result.Issued[unsigned(Pipe::Other)] += P.Others * Share;
    Slots += (P.Count + P.Others) * Share;
    float Start = Branched;
    unsigned After = 0;
    for (const Value *Operand : I.operands())
      if (const auto *From = dyn_cast<Instruction>(Operand);
          From && From->getParent() == &Block) {
        Start = std::max(Start, Depth.lookup(From));
        After = std::max(After, Rank.lookup(From) + isLoad(*From));
      }
    if (isBarrier(I))
      Earliest.fill(std::max({Earliest[0], Earliest[1], LastStore}));
    const bool Branches = hasSlowPath(I) && P.Steps * Share > 0;
    if (Branches)
      for (unsigned &Of : Earliest)
        Of = std::max(Of, After);
    const MemoryReference R = memoryReference(I);
    if (R.Pointer) {
      const bool Which = lowering::objectOf(R.Pointer).Memory == Space::Shared;
      if (R.Reads)
        After = std::max(After, Earliest[Which]);
      if (R.Writes) {
        Earliest[Which] = std::max(Earliest[Which], After);
        LastStore = std::max(LastStore, After);
        Result.StoredAfter[&I] = After;
      }
      // Who uses it waits, here or in a later block.
      if (R.Reads && !I.use_empty())
        Result.Waits[&I] = {1 / AtOnce, After, Served,
                            roundsServed(I, FirstRound::Aligned)};
    }
    Rank[&I] = After;
    Deepest = std::max(Deepest, Depth[&I] = Start + P.Steps * Share);
    if (Branches)
      Branched = Depth[&I];
  }
};

} // namespace

bool isPredicated(const BasicBlock &Block, const BlockSchedule &Its) {
  // Read off cubins of nvcc 13 for sm_90: between a load and a store it takes
  // six multiplications along, and not eight. A load of global memory it would
  // rather not begin in vain.
  constexpr float Most = 8;
  const BasicBlock *Before = Block.getSinglePredecessor();
  const BasicBlock *After = Block.getSingleSuccessor();
  const auto *Branch =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional() || !After ||
      !is_contained(Branch->successors(), After))
    return false;
  const auto needsBranch = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const auto *Load = dyn_cast<LoadInst>(&I);
    return I.isAtomic() || hasSlowPath(I) ||
           (Call && !isa<IntrinsicInst>(Call)) || isBarrier(I) ||
           (Load && lowering::objectOf(Load->getPointerOperand()).Memory !=
                        Space::Shared);
  };
  return std::accumulate(Its.Issued.begin(), Its.Issued.end(), 0.f) <= Most &&
         none_of(Block, needsBranch);
}

BlockSchedule scheduleBlock(const BasicBlock &Block, const Loop *Around,
                            const Unrolling &Rounds) {
  return Scheduler(Block, Around, Rounds).run();
}

} // namespace warpwise::access
