//===- Unrolling.cpp - How nvcc runs the rounds of a loop -----------------===//

#include "analyzer/evaluate/Unrolling.h"

#include "analyzer/evaluate/InstructionPrice.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/RoundArithmetic.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {

/// nvcc writes four rounds of a loop one after the other whose number it does
/// not know (fits the ground truth's instructions and times).
constexpr unsigned UsualUnroll = 4;

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

/// The array of the thread's own that \p Pointer leads to, or null.
static const AllocaInst *privateArray(const Value *Pointer) {
  return dyn_cast_or_null<AllocaInst>(lowering::objectOf(Pointer).Object);
}

namespace {

/// What a loop has loaded, and what becomes of it in later rounds: in
/// "Node = Next[Node]" it is the next address.
class LoadedValues {
  using Values = SmallPtrSet<const Instruction *, 16>;
  const Loop &L;
  Counting Counted;
  Values Loaded;  ///< by the same round
  Values Carried; ///< by one before
  SmallVector<std::pair<const Instruction *, Values *>, 16> Open;
  /// Loads of private arrays; null: of what is none, which nobody looks for.
  DenseMap<const AllocaInst *, SmallVector<const Instruction *, 4>> OfPrivate;

  /// Whether each round has an element of its own.
  bool hasOwnElement(const Instruction &Load) {
    const auto *Address =
        dyn_cast<GetElementPtrInst>(getLoadStorePointerOperand(&Load));
    return Address && Counted.growsEvenly(Address);
  }

  /// Adds who takes \p Of, which is one of \p Among.
  void addUsers(const Instruction &Of, Values &Among) {
    for (const User *Its : Of.users()) {
      const auto *By = dyn_cast<Instruction>(Its);
      if (!By || !L.contains(By))
        continue;
      const auto *Store = dyn_cast<StoreInst>(By);
      if (isa<PHINode>(By) && By->getParent() == L.getHeader())
        add(*By, Carried);
      else if (!Store)
        add(*By, Among);
      else if (Store->getValueOperand() == &Of)
        for (const Instruction *Load :
             OfPrivate[privateArray(Store->getPointerOperand())])
          add(*Load, hasOwnElement(*Load) ? Among : Carried);
    }
  }

  void add(const Instruction &I, Values &To) {
    if (To.insert(&I).second)
      Open.emplace_back(&I, &To);
  }

public:
  LoadedValues(const Loop &L, ArrayRef<unsigned> Whole)
      : L(L), Counted(&L, Whole) {
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block)
        if (const MemoryReference R = memoryReference(I);
            R.Pointer && R.Reads) {
          if (const AllocaInst *Array = privateArray(R.Pointer))
            OfPrivate[Array].push_back(&I);
          else
            add(I, Loaded);
        }
    while (!Open.empty()) {
      const auto [I, Among] = Open.pop_back_val();
      addUsers(*I, *Among);
    }
  }

  /// Whether a round cannot begin to load before the one before it has loaded.
  bool leadOn() const {
    return any_of(Carried, [&](const Instruction *I) {
      return any_of(I->users(), [&](const User *Its) {
        const auto *By = dyn_cast<Instruction>(Its);
        const MemoryReference R = By ? memoryReference(*By) : MemoryReference();
        return R.Reads && R.Pointer == I && L.contains(By);
      });
    });
  }
};

} // namespace

/// Whether \p End, of a block of \p L, only decides about a bit of arithmetic
/// for which lanes are switched off, so that nobody waits for it. A load may
/// belong to it: of rounds that are written out ptxas begins all of them, each
/// in the lanes that want it (read off jacobi-inverse-diagonal-stored of
/// test/gpu/pairs).
static bool isSwitchedOff(const Loop &L, const Instruction &End) {
  constexpr unsigned MostInstructions = 8; // as in isPredicated()
  const auto *Branch = dyn_cast<BranchInst>(&End);
  if (!Branch || !Branch->isConditional())
    return false;
  const auto isArm = [&](const BasicBlock *Arm, const BasicBlock *After) {
    return L.contains(Arm) && Arm->getSinglePredecessor() == End.getParent() &&
           Arm->getSingleSuccessor() == After &&
           Arm->sizeWithoutDebug() <= MostInstructions &&
           count_if(*Arm,
                    [](const Instruction &I) { return isa<LoadInst>(I); }) <=
               1 &&
           none_of(*Arm, [](const Instruction &I) {
             return (I.mayReadOrWriteMemory() && !isa<LoadInst>(I)) ||
                    hasSlowPath(I);
           });
  };
  const BasicBlock *One = Branch->getSuccessor(0),
                   *Other = Branch->getSuccessor(1);
  return L.contains(One) && L.contains(Other) &&
         (isArm(One, Other) || isArm(Other, One) ||
          (One->getSingleSuccessor() && isArm(One, One->getSingleSuccessor()) &&
           isArm(Other, One->getSingleSuccessor())));
}

/// Whether what a round of \p L computes \p V from has been loaded from shared
/// memory.
static bool comesFromShared(const Loop &L, const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 12;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || isa<PHINode>(I))
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(I);
      (Load &&
       lowering::objectOf(Load->getPointerOperand()).Memory == Space::Shared) ||
      Depth == MostDepth)
    return true;
  return any_of(I->operands(), [&](const Value *Operand) {
    return comesFromShared(L, Operand, Depth + 1);
  });
}

/// The loads of a round that need not wait for the round before it.
enum class Overlap { None, GlobalLoads, All };

static Overlap overlapOf(const Loop &L, ArrayRef<unsigned> Whole,
                         Pointers Known, const CarriedWords &InRegisters) {
  if (hasSlowPath(L, Whole) || LoadedValues(L, Whole).leadOn())
    return Overlap::None;
  SmallPtrSet<const Value *, 16> Loaded;
  SmallVector<const Value *, 8> GlobalLoads;          // their addresses
  SmallPtrSet<const Value *, 8> LoadedFrom, StoredTo; // arguments that are told
                                                      // apart
  std::array<bool, 2> Reads{}, Writes{}; // of global, of shared memory
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (InRegisters.contains(&I))
        continue;
      if (I.isAtomic())
        return Overlap::None;
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
        Reads[Which] |= Counts && R.Reads;
        Writes[Which] |= Counts && R.Writes;
        if (R.Reads && !Which)
          GlobalLoads.push_back(R.Pointer);
      }
      const bool Uses = any_of(
          I.operands(), [&](const Use &U) { return Loaded.contains(U.get()); });
      if (Uses && I.isTerminator() && !isSwitchedOff(L, I))
        return Overlap::None; // what is loaded decides whether there is a next
                              // round
      if ((R.Pointer && R.Reads && !privateArray(R.Pointer)) ||
          (Uses &&
           (isa<GetElementPtrInst>(I) || isa<CmpInst>(I) || isa<CastInst>(I))))
        Loaded.insert(&I);
    }
  // A store that may hit what the next round loads keeps it waiting.
  if ((Reads[0] && Writes[0]) ||
      any_of(StoredTo, [&](const Value *A) { return LoadedFrom.contains(A); }))
    return Overlap::None;
  if (!Reads[1] || !Writes[1])
    return Overlap::All;
  return any_of(GlobalLoads,
                [&](const Value *At) { return comesFromShared(L, At); })
             ? Overlap::None
             : Overlap::GlobalLoads;
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

/// Loads of a round of \p L. ptxas keeps some 16 under way, whatever rounds
/// they belong to: then registers run out.
static unsigned loadsOf(const Loop &L) {
  unsigned Loads = 0;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const MemoryReference R = memoryReference(I); R.Pointer && R.Reads)
        Loads += lowering::objectOf(R.Pointer).Memory == Space::Global;
  return Loads;
}

/// Whether \p V takes a multiplication of what changes in \p L, in 32 bits.
static bool isMultiplied(const Value *V, const Loop &L, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 6;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Depth == MostDepth)
    return false;
  const unsigned Code = I->getOpcode();
  if (Code == Instruction::Mul || Code == Instruction::Shl)
    return I->getType()->isIntegerTy(32);
  return (isa<CastInst>(I) || Code == Instruction::Add) &&
         any_of(I->operands(), [&](const Value *Operand) {
           return isMultiplied(Operand, L, Depth + 1);
         });
}

/// Whether the front end counts the rounds of \p L by a sum with a number from
/// outside, as ptxas cannot: it does where a counter that begins at a constant
/// is multiplied in 32 bits for an address.
static bool hidesCounter(const Loop &L) {
  const BasicBlock *Before = L.getLoopPreheader();
  const bool BeginsAtConstant =
      Before && any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
        return isa<ConstantInt>(Phi.getIncomingValueForBlock(Before));
      });
  return BeginsAtConstant && any_of(L.blocks(), [&](const BasicBlock *Block) {
           return any_of(*Block, [&](const Instruction &I) {
             return isa<GetElementPtrInst>(I) &&
                    any_of(I.operands(), [&](const Value *Index) {
                      return isMultiplied(Index, L);
                    });
           });
         });
}

/// Whether the rounds of \p L, four of which nvcc's front end has written out,
/// are few enough instructions for ptxas to write that out four times again
/// (read off 256 loops of test/gpu/pairs: those of up to some 32 instructions
/// of PTX are, five of which are the counting).
static bool isWrittenAgain(const Loop &L) {
  constexpr float Most = 27.f / UsualUnroll;
  float Count = 0;
  Counting Counted(&L);
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (I.isAtomic())
        return false;
      if (isa<PHINode, GetElementPtrInst>(I) || I.isTerminator() ||
          isa<ICmpInst>(I) || Counted.of(&I) == Growth::Constant)
        continue;
      const Price Its = priceOf(I);
      Count += Its.Count + Its.Special + Its.Others;
    }
  return Count <= Most && !hidesCounter(L);
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
    Result.Written = Result.isWhole() ? Rounds : Result.Part;
    if (Result.Part > 1 && overlapOf(L, {}, Known, InRegisters) == Overlap::All)
      Result.AtOnce = Result.GlobalAtOnce = Result.Part;
    return Result;
  }
  if (Result.isWhole() || isCounted(L))
    Result.Written = Rounds;
  ArrayRef<unsigned> Whole = Result.Whole;
  const unsigned Most =
      std::min(MostAtOnce, std::max(4u, MostAtOnce / std::max(1u, loadsOf(L))));
  const Overlap Its = overlapOf(L, Whole, Known, InRegisters);
  if (Its == Overlap::GlobalLoads)
    Result.GlobalAtOnce = std::min(Rounds, MostAtOnce);
  if (Its != Overlap::All)
    return Result;
  Result.AtOnce = Rounds;
  const bool IsAgain =
      Result.Written == UsualUnroll && !Result.isWhole() && isWrittenAgain(L);
  for (const Loop *Outer = L.getParentLoop(); Whole.size() > 1;
       Outer = Outer->getParentLoop()) {
    Whole = Whole.drop_front();
    if (overlapOf(*Outer, Whole, Known, InRegisters) != Overlap::All)
      break;
    Result.AtOnce *= Whole.front();
  }
  if (Result.Part > 1 && Whole.size() == 1 &&
      overlapOf(*Around, {}, Known, InRegisters) == Overlap::All)
    Result.AtOnce *= Result.Part;
  Result.GlobalAtOnce = std::min(
      IsAgain ? Result.AtOnce * UsualUnroll : Result.AtOnce, MostAtOnce);
  Result.AtOnce = std::min(Result.AtOnce, Most);
  return Result;
}

} // namespace warpwise::access
