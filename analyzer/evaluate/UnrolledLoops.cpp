//===- UnrolledLoops.cpp - Loops that the compiler writes out -------------===//

#include "analyzer/evaluate/UnrolledLoops.h"

#include "analyzer/evaluate/InstructionPrice.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {
namespace {

/// What a round consists of. NVVM counts a product and the sum that it goes
/// into as two, ptxas as one instruction; of an address, where rounds are
/// written out, a constant beside a register is left.
struct Length {
  uint64_t Written = 0;   ///< all, as NVVM finds them
  uint64_t Folded = 0;    ///< without counters and addresses
  uint64_t Assembled = 0; ///< nor products that go into sums
};

/// Whether rounds that are written out have it for nothing: the counter of a
/// loop in \p L and what is computed from it, addresses mostly.
bool isCounted(Instruction &I, const Loop &L, ScalarEvolution &Evolution) {
  if (isa<GetElementPtrInst, CastInst>(I))
    return true;
  return I.getType()->isIntegerTy() && !I.mayReadFromMemory() &&
         !SCEVExprContains(Evolution.getSCEV(&I), [&](const SCEV *Part) {
           const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
           const auto *In =
               Leaf ? dyn_cast<Instruction>(Leaf->getValue()) : nullptr;
           return In && L.contains(In);
         });
}

/// What may be another number in another round of a loop, but for what loops in
/// it count.
class Variation {
  const Loop &L;
  ScalarEvolution &Evolution;
  const bool Stores; ///< something is stored in it
  DenseMap<const Value *, bool> Known;

  bool of(Value *V) {
    const auto [At, IsNew] = Known.try_emplace(V, true);
    if (!IsNew)
      return At->second;
    const bool Varies =
        SCEVExprContains(Evolution.getSCEV(V), [&](const SCEV *Part) {
          if (const auto *Grows = dyn_cast<SCEVAddRecExpr>(Part))
            return Grows->getLoop() == &L;
          const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
          auto *In = Leaf ? dyn_cast<Instruction>(Leaf->getValue()) : nullptr;
          if (!In || !L.contains(In))
            return false;
          return isa<PHINode>(In) || In->mayReadOrWriteMemory() ||
                 any_of(In->operands(), [&](const Use &Its) {
                   return Evolution.isSCEVable(Its->getType()) && of(Its.get());
                 });
        });
    return Known[V] = Varies;
  }

public:
  Variation(const Loop &L, ScalarEvolution &Evolution)
      : L(L), Evolution(Evolution),
        Stores(any_of(L.blocks(), [](const BasicBlock *Block) {
          return any_of(*Block, [](const Instruction &I) {
            return I.mayWriteToMemory();
          });
        })) {}

  /// Whether \p I is the same in each round, so that it is moved out of the
  /// loop.
  bool isDoneOnce(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return !Stores && Load->isSimple() && !of(Load->getPointerOperand());
    return Evolution.isSCEVable(I.getType()) && !I.mayReadOrWriteMemory() &&
           !of(&I);
  }
};

/// Of a loop whose header is run \p Runs times: where that decides whether
/// there is another round, it is run once more than the body.
unsigned roundsOf(const Loop &L, unsigned Runs) {
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch && L.isLoopExiting(Latch) ? Runs : Runs - 1;
}

/// Counts the rounds of loops by going through them, as far as constants
/// decide.
class ConstantRounds {
  const DataLayout &Layout;
  DenseMap<const PHINode *, Constant *> Now;
  unsigned StepsLeft = 1 << 16; ///< values may be used again and again

  Constant *valueOf(Value *V) {
    if (auto *C = dyn_cast<Constant>(V))
      return C;
    if (StepsLeft == 0)
      return nullptr;
    --StepsLeft;
    if (const auto *Phi = dyn_cast<PHINode>(V))
      return Now.lookup(Phi);
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->mayReadOrWriteMemory() || isa<CallInst, AllocaInst>(I))
      return nullptr;
    SmallVector<Constant *, 4> Operands;
    for (Value *Its : I->operands()) {
      Operands.push_back(valueOf(Its));
      if (!Operands.back())
        return nullptr;
    }
    return ConstantFoldInstOperands(I, Operands, Layout);
  }

  void start(const Loop &L) {
    for (PHINode &Phi : L.getHeader()->phis())
      Now[&Phi] = valueOf(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  }

  void next(const Loop &L) {
    SmallVector<std::pair<const PHINode *, Constant *>, 4> Values;
    for (PHINode &Phi : L.getHeader()->phis())
      Values.emplace_back(
          &Phi, valueOf(Phi.getIncomingValueForBlock(L.getLoopLatch())));
    for (const auto &[Phi, Value] : Values)
      Now[Phi] = Value;
  }

  /// Whether \p L goes on after its test; nothing where that is not known.
  std::optional<bool> goesOn(const Loop &L) {
    const auto *Branch =
        dyn_cast<BranchInst>(L.getExitingBlock()->getTerminator());
    const auto *Holds =
        Branch && Branch->isConditional()
            ? dyn_cast_or_null<ConstantInt>(valueOf(Branch->getCondition()))
            : nullptr;
    if (!Holds)
      return std::nullopt;
    return L.contains(Branch->getSuccessor(Holds->isZero() ? 1 : 0));
  }

public:
  explicit ConstantRounds(const DataLayout &Layout) : Layout(Layout) {}

  /// Those of \p L, before each of which \p Each is called; nothing where
  /// memory or the launch decides, or where there are too many.
  std::optional<unsigned> of(const Loop &L, function_ref<bool()> Each) {
    constexpr unsigned TooMany = 128;
    if (!L.getLoopPreheader() || !L.getLoopLatch() || !L.getExitingBlock())
      return std::nullopt;
    const bool IsTestedFirst = L.getExitingBlock() == L.getHeader();
    if (!IsTestedFirst && L.getExitingBlock() != L.getLoopLatch())
      return std::nullopt;
    start(L);
    for (unsigned Rounds = 0; Rounds != TooMany; next(L)) {
      if (!IsTestedFirst && !Each())
        return std::nullopt;
      const auto Another = goesOn(L);
      if (!Another)
        return std::nullopt;
      Rounds += *Another || !IsTestedFirst;
      if (!*Another)
        return Rounds;
      if (IsTestedFirst && !Each())
        return std::nullopt;
    }
    return std::nullopt;
  }
};

/// Rounds of a loop that the counter of one around it decides.
struct Triangle {
  const Loop *Around;
  unsigned Mean, Most;
};

/// "for (J = I + 1; J < 9; ++J)" in five rounds of I, or "for (Step = Size / 2;
/// Step; Step /= 2)".
std::optional<Triangle> triangleOf(const Loop &L, const DataLayout &Layout) {
  for (const Loop *Around = L.getParentLoop(); Around;
       Around = Around->getParentLoop()) {
    ConstantRounds Run(Layout);
    unsigned Sum = 0, Most = 0;
    const auto Rounds = Run.of(*Around, [&] {
      const auto Its = Run.of(L, [] { return true; });
      Sum += Its.value_or(0);
      Most = std::max(Most, Its.value_or(0));
      return Its.has_value();
    });
    if (Rounds && *Rounds != 0)
      return Triangle{Around, (Sum + *Rounds / 2) / *Rounds, Most};
  }
  return std::nullopt;
}

/// A load or store of an array of the thread's own.
bool isPrivate(const Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && isa<AllocaInst>(getUnderlyingObject(Pointer));
}

/// Of a round of \p L, with all rounds of the loops in it that \p Inner writes
/// out.
Length lengthOf(const Loop &L, const llvm::LoopInfo &Loops,
                const UnrolledLoops &Inner, ScalarEvolution &Evolution) {
  Length Sum;
  Variation Varies(L, Evolution);
  for (BasicBlock *Block : L.blocks()) {
    uint64_t Times = 1;
    for (const Loop *It = Loops.getLoopFor(Block); It != &L;
         It = It->getParentLoop())
      if (const auto Whole = Inner.Whole.find(It); Whole != Inner.Whole.end())
        Times *= Whole->second;
    for (Instruction &I : Block->instructionsWithoutDebug()) {
      if (isa<PHINode, CmpInst>(I) || I.isTerminator())
        continue;
      if (Varies.isDoneOnce(I))
        continue;
      if (isCounted(I, L, Evolution)) {
        Sum.Written += Times == 1; // else it has been folded already
        continue;
      }
      // With constant indices, its elements have become registers.
      if (Times > 1 && isPrivate(I))
        continue;
      Sum.Written += Times;
      Sum.Folded += Times;
      if (!isFused(I))
        Sum.Assembled += Times;
    }
  }
  return Sum;
}

/// How many rounds of \p Rounds NVVM writes out at a time: as many as divide
/// their number and its limit has room for, 16 at most where that is a power of
/// two (128 to 8192 rounds; 1000 come in parts of 40, for which this says 10).
unsigned partOf(unsigned Rounds, const Length &Its) {
  constexpr uint64_t MostInPart = 200, MaxPart = 16;
  const uint64_t Fitting = MostInPart / std::max<uint64_t>(1, Its.Folded);
  auto Part = unsigned(std::clamp<uint64_t>(Fitting, 1, MaxPart));
  while (Rounds % Part != 0)
    --Part;
  return Part;
}

/// Whether nothing is left of the loop. NVVM writes all rounds out up to 400
/// instructions in all; of up to ten rounds it looks at what is left of each.
/// Where it leaves short parts, ptxas may do the rest. Read off some 500 cubins
/// of nvcc 13: chains of 1 to 200 fused products, with a load and without, in 2
/// to 96 rounds; sums of 20 to 4096 rounds.
bool isWrittenOut(unsigned Rounds, const Length &Its) {
  constexpr uint64_t MostInAll = 400, MostRounds = 96, FewRounds = 10,
                     LongestToAssemble = 67;
  if (Rounds > MostRounds)
    return false;
  const unsigned Part = partOf(Rounds, Its);
  return Rounds * Its.Written <= MostInAll ||
         (Rounds <= FewRounds && Rounds * Its.Folded <= MostInAll) ||
         (Part * Its.Assembled <= LongestToAssemble &&
          Rounds * Its.Assembled <= MostInAll);
}

/// Whether the address of \p Load is another constant in each round of \p L,
/// once that and all loops in and around it are written out.
bool isImmediate(const LoadInst &Load, const Loop &L,
                 ScalarEvolution &Evolution) {
  const SCEV *Address =
      Evolution.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  return SCEVExprContains(Address,
                          [&](const SCEV *Part) {
                            const auto *Grows = dyn_cast<SCEVAddRecExpr>(Part);
                            return Grows && Grows->getLoop() == &L;
                          }) &&
         !SCEVExprContains(Address, [](const SCEV *Part) {
           const auto *Leaf = dyn_cast<SCEVUnknown>(Part);
           return Leaf && !isa<Constant>(Leaf->getValue());
         });
}

/// Where the rounds of a loop walk along constant memory, ptxas writes out all
/// of them, and what is loaded becomes an operand: of 2 to 512 rounds, and of
/// loops in loops, unless one around them has rounds that are not known. (Read
/// off 364 kernels of nvcc 13: 1 to 32 products a round, with loads, stores,
/// branches and barriers beside them; the limit lies between 7,000 and 30,000
/// instructions.)
bool walksAlongConstants(const Loop &L, unsigned Rounds, uint64_t InARound,
                         ScalarEvolution &Evolution) {
  constexpr uint64_t MostRounds = 512, MostInAll = 8192;
  uint64_t All = Rounds * InARound;
  for (const Loop *Around = L.getParentLoop(); Around;
       Around = Around->getParentLoop())
    All *= Evolution.getSmallConstantTripCount(Around);
  return Rounds <= MostRounds && All > 0 && All <= MostInAll &&
         any_of(L.blocks(), [&](const BasicBlock *Block) {
           return any_of(*Block, [&](const Instruction &I) {
             const auto *Load = dyn_cast<LoadInst>(&I);
             const auto *Of =
                 Load ? dyn_cast<GlobalVariable>(
                            getUnderlyingObject(Load->getPointerOperand()))
                      : nullptr;
             return Of && Of->getAddressSpace() == lowering::ConstantSpace &&
                    isImmediate(*Load, L, Evolution);
           });
         });
}

/// With #pragma unroll it writes out all rounds up to LLVM's limit of
/// instructions (PragmaUnrollThreshold).
bool isForced(const Loop &L, uint64_t InAll) {
  constexpr uint64_t MostAsked = 16384;
  return hasUnrollTransformation(&L) == TM_ForcedByUser &&
         !getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count") &&
         InAll <= MostAsked;
}

/// The threads of a block or the blocks of a grid.
bool isExtent(Preset::Kind Which) {
  using Kind = Preset::Kind;
  return (Which >= Kind::NtidX && Which <= Kind::NtidZ) ||
         (Which >= Kind::NctaidX && Which <= Kind::NctaidZ);
}

/// Whether \p V is computed from the threads of a block or the blocks of a
/// grid.
bool hangsOnLaunch(const Value *V) {
  constexpr unsigned Deepest = 8;
  SmallVector<std::pair<const Value *, unsigned>, 8> Pending{{V, 0}};
  while (!Pending.empty()) {
    const auto [Next, Depth] = Pending.pop_back_val();
    const auto *I = dyn_cast<Instruction>(Next);
    if (!I || Depth == Deepest || isa<PHINode>(I) || I->mayReadFromMemory())
      continue;
    const auto *Call = dyn_cast<CallInst>(I);
    if (const auto Which = Call ? specialRegister(*Call) : std::nullopt;
        Which && isExtent(*Which))
      return true;
    for (const Value *Operand : I->operands())
      Pending.push_back({Operand, Depth + 1});
  }
  return false;
}

/// Whether the sums of \p Next, which \p L counts its rounds by, may begin
/// anew at zero: an unsigned counter in steps other than one may jump over what
/// it is compared with, and nobody can say then how many rounds there are.
bool mayBeginAnew(const Instruction &Next, const PHINode &Counter,
                  const Loop &L) {
  const auto *Sum = dyn_cast<BinaryOperator>(&Next);
  if (!Sum || Sum->getOpcode() != Instruction::Add || Sum->hasNoSignedWrap() ||
      Sum->hasNoUnsignedWrap())
    return false;
  const Value *By = Sum->getOperand(Sum->getOperand(0) == &Counter);
  const auto *Constant = dyn_cast<ConstantInt>(By);
  if (Constant && (Constant->isOne() || Constant->isMinusOne()))
    return false;
  const auto *End = dyn_cast<BranchInst>(L.getExitingBlock()->getTerminator());
  const auto *Test = End && End->isConditional()
                         ? dyn_cast<ICmpInst>(End->getCondition())
                         : nullptr;
  return Test && Test->isUnsigned() &&
         any_of(Test->operands(),
                [&](const Use &Of) { return Of == &Next || Of == &Counter; });
}

/// nvcc 13 does not write out a loop whose counter grows by what the launch
/// says, "I += blockDim.x", though it does one whose step is an argument, nor
/// one that has a second way out, nor one whose counter may begin anew. (Read
/// off cubins: ten loops of the first kind, 1 load each, 5 where the step is an
/// argument; of the last kind off PTX, of unsigned and size_t in steps of 256
/// or of an argument, 1 load, 5 where they are int or long.)
bool isLeftAsItIs(const Loop &L) {
  if (hasUnrollTransformation(&L) & TM_Enable)
    return false;
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getExitingBlock())
    return true;
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    const auto *Next =
        dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
    return Next && Phi.getType()->isIntOrPtrTy() &&
           is_contained(Next->operands(), &Phi) &&
           (mayBeginAnew(*Next, Phi, L) ||
            any_of(Next->operands(), [&](const Use &Step) {
              return Step != &Phi && hangsOnLaunch(Step);
            }));
  });
}

bool letsMemoryChange(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      return I.isAtomic() || isBarrier(I);
    });
  });
}

/// Whether a round of \p L is a row of instructions, once what \p Inner says of
/// the loops in it is done.
bool isRow(const Loop &L, const UnrolledLoops &Inner) {
  return all_of(L, [&](const Loop *In) {
    return Inner.Whole.contains(In) && isRow(*In, Inner);
  });
}

DenseMap<const Loop *, unsigned> &wholeOf(const Loop &L, UnrolledLoops &Of) {
  return letsMemoryChange(L) ? Of.WholeButForMemory : Of.Whole;
}

} // namespace

UnrolledLoops unrolledLoops(Function &F, DominatorTree &Dominators,
                            llvm::LoopInfo &Loops) {
  UnrolledLoops Found;
  if (Loops.empty())
    return Found;
  AssumptionCache Assumptions(F);
  TargetLibraryInfoImpl Library{Triple(F.getParent()->getTargetTriple())};
  TargetLibraryInfo Functions(Library);
  ScalarEvolution Evolution(F, Functions, Assumptions, Dominators, Loops);
  // Loops that become whole if the loop around them does.
  SmallVector<std::tuple<const Loop *, const Loop *, unsigned>, 4> Triangles;
  // Loops in a loop first: they are a part of its rounds.
  const auto InOrder = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(InOrder)) {
    if (hasUnrollTransformation(L) & TM_Disable) {
      Found.Parts[L] = 1; // as the source says: #pragma unroll 1
      continue;
    }
    const unsigned Runs = Evolution.getSmallConstantTripCount(L);
    const unsigned Rounds = roundsOf(*L, Runs);
    if (const auto Asked =
            getOptionalIntLoopAttribute(L, "llvm.loop.unroll.count")) {
      // #pragma unroll 4: so many at a time, be they few in all or not.
      if (Runs == 0 || unsigned(*Asked) < Rounds) {
        Found.Parts[L] = unsigned(std::max(1, *Asked));
        continue;
      }
    }
    if (const auto Its = Runs == 0
                             ? triangleOf(*L, F.getParent()->getDataLayout())
                             : std::nullopt) {
      const Length One = lengthOf(*L, Loops, Found, Evolution);
      if (isWrittenOut(Its->Most, One) ||
          isForced(*L, Its->Most * One.Written)) {
        Triangles.emplace_back(L, Its->Around, std::max(1u, Its->Mean));
        continue;
      }
    }
    if (Runs == 0 && isLeftAsItIs(*L)) {
      Found.Parts[L] = 1;
      continue;
    }
    if (Runs == 0)
      continue;
    const Length Its = lengthOf(*L, Loops, Found, Evolution);
    if (isWrittenOut(Rounds, Its) || isForced(*L, Rounds * Its.Written) ||
        walksAlongConstants(*L, Rounds, Its.Assembled, Evolution)) {
      wholeOf(*L, Found)[L] = std::max(1u, Rounds);
      for (const auto &[Inner, Around, Mean] : Triangles)
        if (Around == L)
          wholeOf(*Inner, Found)[Inner] = Mean;
    } else if (isRow(*L, Found) && !letsMemoryChange(*L))
      Found.Parts[L] = partOf(Rounds, Its);
  }
  return Found;
}

} // namespace warpwise::access
