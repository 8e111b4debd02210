//===- BlockSchedule.cpp - What a basic block takes of a warp -------------===//

#include "analyzer/evaluate/BlockSchedule.h"

#include "analyzer/evaluate/InstructionPrice.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/JoinedRounds.h"
#include "analyzer/evaluate/RoundArithmetic.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace warpwise::access {
namespace {

/// Most private arrays end up in registers, and so do their elements.
bool isLoad(const Instruction &I) {
  const MemoryReference R = memoryReference(I);
  return R.Pointer && R.Reads &&
         lowering::objectOf(R.Pointer).Memory != Space::Local;
}

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

  /// In a round, of which \p Written are written out at a time: they share what
  /// \p Counted adds the same constant to each time.
  float steps(Counting &Counted, float Written) {
    const BasicBlock *Latch = L.getLoopLatch();
    float Most = 0;
    if (!Latch)
      return Most;
    for (const PHINode &P : L.getHeader()->phis()) {
      From = &P;
      Longest.clear();
      const float Its = upTo(P.getIncomingValueForBlock(Latch));
      Most = std::max(Most,
                      Counted.of(&P) == Growth::Constant ? Its / Written : Its);
    }
    return Most;
  }
};

/// One pass over a block, from the first instruction to the last.
class Scheduler {
  const BasicBlock &Block;
  const Loop *const Around;
  const Unrolling &Rounds;
  const DenseSet<const Instruction *> &Leading;
  const Instruction *const From; ///< with which the last part begins, or null
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
  /// Registers that the loads of global memory of each rank fill.
  DenseMap<unsigned, float> Words;
  /// No load of global (0) or shared memory (1) moves before the last store
  /// there, and that one waits for what it stores.
  std::array<unsigned, 2> Earliest{};
  unsigned LastStore = 0;
  /// Nothing moves before the last branch that is made of an instruction.
  float Branched = 0;
  float Deepest = 0, Slots = 0;

public:
  Scheduler(const BasicBlock &Block, const Loop *Around,
            const Unrolling &Rounds,
            const DenseSet<const Instruction *> &Leading,
            const Instruction *From)
      : Block(Block), Around(Around), Rounds(Rounds), Leading(Leading),
        From(From), AtOnce(float(Rounds.AtOnce)),
        Written(float(Rounds.Written)), Whole(Rounds.Whole), Part(Rounds.Part),
        Counted(Around, Rounds.Whole), Once(Around, Rounds.Whole) {
    for (const unsigned Its : Whole)
      AllWritten *= float(Its);
  }

  BlockSchedule run() {
    if (Block.isEntryBlock())
      start();
    float DeepestBefore = 0;
    for (const Instruction &I : Block) {
      if (&I == From) {
        Result.IssuedLast = Result.Issued;
        DeepestBefore = Deepest;
      }
      if (!isa<PHINode>(I) && !(Around && Counted.of(&I) == Growth::None) &&
          !Once.contains(I))
        add(I);
    }
    if (From) {
      for (unsigned P = 0; P != PipeCount; ++P)
        Result.IssuedLast[P] = Result.Issued[P] - Result.IssuedLast[P];
      Result.StepsLast = Deepest - DeepestBefore;
    }
    shareWaits();
    // An instruction is issued at most every cycle, a quarter of a step.
    constexpr float Slot = 0.25f;
    float Chain = Deepest;
    if (Around && AtOnce > 1)
      Chain = std::max(Deepest / AtOnce,
                       Around->getHeader() == &Block
                           ? Recurrence(*Around).steps(Counted, Written)
                           : 0);
    Result.ChainSteps = std::max(Chain, Slot * Slots);
    return std::move(Result);
  }

private:
  /// ptxas keeps loads of some 16 registers under way, whatever rounds they
  /// belong to (read off the loops of 550 pairs of test/gpu/pairs: groups of 16
  /// words, of 8 of 64 bits, of 4 of 128 bits).
  void shareWaits() {
    constexpr float WordsUnderWay = 16;
    for (auto &[Load, Its] : Result.Waits)
      if (isOfGlobal(*Load))
        Its.Least = Words.lookup(Its.Rank) / WordsUnderWay;
  }

  static bool isOfGlobal(const Instruction &I) {
    return lowering::objectOf(memoryReference(I).Pointer).Memory ==
           Space::Global;
  }

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
    const bool IsShared =
        Address.getPointerAddressSpace() == lowering::SharedSpace;
    const float WordsOfPointer = IsShared ? 1 : 2;
    const auto *Wrapping = find_if(Address.indices(), mayWrap);
    // Shared memory takes 32 bits.
    if (Wrapping != Address.idx_end() && !IsShared &&
        Counted.of(&Address) != Growth::None) {
      // Its last sum, as every round has its own, and one of 64 bits, which a
      // multiplication does in passing (read off cubins of nvcc 13).
      const bool IsByte = Address.getSourceElementType()->isIntegerTy(8);
      const auto &Sum =
          *cast<Instruction>(cast<Instruction>(*Wrapping)->getOperand(0));
      return {Pipe::Sum,
              (IsByte ? 2.f : 1.f) + (Counted.isAbsorbed(Sum) ? 1 : 0), 2};
    }
    const float RoundsOutside = Once.growsOutside(Address) ? float(Part) : 1;
    if (Counted.isWhole() && Counted.differsByConstants(&Address))
      return {Pipe::Sum, 2 / (AllWritten * RoundsOutside), 0};
    if (Once.growsOutside(Address))
      return {Pipe::Sum, WordsOfPointer / RoundsOutside, 0};
    switch (Counted.of(&Address)) {
    case Growth::Constant:
      return {Pipe::Sum, 2 / Written, 0};
    case Growth::Even:
      return {Pipe::Sum, 1, 0};
    default:
      return {Pipe::Sum, 1, 1};
    }
  }

  /// Whether \p I loads a word of constant memory whose address the code says,
  /// through registers that the lanes share.
  bool isWordOfCode(const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || I.getType()->getPrimitiveSizeInBits() > 64 ||
        lowering::objectOf(Load->getPointerOperand()).Memory != Space::Constant)
      return false;
    const Value *Address = Load->getPointerOperand();
    while (const auto *Step = dyn_cast<GetElementPtrInst>(Address)) {
      if (!all_of(Step->indices(),
                  [&](const Use &Its) { return Counted.isWrittenOut(Its); }))
        return false;
      Address = Step->getPointerOperand();
    }
    return isa<Constant>(Address);
  }

  Price priceHere(const Instruction &I) {
    if (isWordOfCode(I)) // two words at a time
      return {Pipe::Other, float(I.getType()->getPrimitiveSizeInBits()) / 64,
              0};
    if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
      return addressOf(*Address);
    const auto *Branch = dyn_cast<BranchInst>(&I);
    const bool IsDecided = Branch && Branch->isConditional() &&
                           Counted.isWrittenOut(Branch->getCondition());
    const bool IsFree = isComputedAlready(I) || Counted.isAbsorbed(I) ||
                        Once.isAbsorbed(I) || (Around && Counted.isFolded(I)) ||
                        IsDecided;
    return IsFree ? Free : priceOf(I);
  }

  /// Rounds that one load or store serves, or would in shared memory.
  unsigned roundsServed(const Instruction &I, FirstRound First) const {
    if (!getLoadStorePointerOperand(&I) || !Around || AtOnce < 2)
      return 1;
    const bool IsPart = Whole.empty() && Part > 1;
    const Loop *Outermost = Around;
    for (size_t N = 1; N < Whole.size(); ++N)
      Outermost = Outermost->getParentLoop();
    const auto served = [&](const Loop &L, unsigned Together, unsigned Its) {
      return roundsAtOnce(
          I, {L, Together, Its, L.contains(Outermost) ? L : *Outermost}, First);
    };
    unsigned Served =
        served(*Around, unsigned(IsPart ? AtOnce : std::min(AtOnce, Written)),
               unsigned(IsPart ? AtOnce : Written));
    // Or rounds of a loop around that are under way together, too.
    const Loop *Outer = Around;
    auto Others = unsigned(AtOnce);
    for (size_t N = 1; N < Whole.size(); ++N) {
      Outer = Outer->getParentLoop();
      Others /= Whole[N - 1];
      if (Others < 2)
        break;
      Served = std::max(Served,
                        served(*Outer, std::min(Others, Whole[N]), Whole[N]));
    }
    if (!Whole.empty() && Part > 1 && Others / Whole.back() >= Part)
      Served = std::max(Served, served(*Outer->getParentLoop(), Part, Part));
    return Served;
  }

  void add(const Instruction &I) {
    const Price P = priceHere(I);
    const unsigned Served = roundsServed(I, FirstRound::AsWritten);
    float Share = isa<GetElementPtrInst>(I) ? 1 : shareOf(I);
    if (Served > 1 &&
        lowering::objectOf(getLoadStorePointerOperand(&I)).Memory ==
            Space::Shared)
      Share /= float(Served);
    const auto issue = [&](std::array<float, PipeCount> &Into) {
      Into[unsigned(P.Where)] += P.Count * Share;
      Into[unsigned(Pipe::Special)] += P.Special * Share;
      Into[unsigned(Pipe::Other)] += P.Others * Share;
    };
    issue(Result.Issued);
    if (Leading.contains(&I))
      issue(Result.Leading);
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
      const Space Memory = lowering::objectOf(R.Pointer).Memory;
      const bool Which = Memory == Space::Shared;
      if (R.Reads)
        After = std::max(After, Earliest[Which]);
      if (R.Writes) {
        Earliest[Which] = std::max(Earliest[Which], After);
        LastStore = std::max(LastStore, After);
        Result.Stores[&I] = {After, Served,
                             roundsServed(I, FirstRound::Aligned)};
      }
      // Who uses it waits, here or in a later block.
      if (R.Reads && !I.use_empty()) {
        Result.Waits[&I] = {1 / float(Rounds.atOnce(Memory)), 0, After, Served,
                            roundsServed(I, FirstRound::Aligned)};
        constexpr float WordBits = 32;
        if (Memory == Space::Global)
          Words[After] += std::max(
              1.f, float(I.getType()->getPrimitiveSizeInBits()) / WordBits);
      }
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
                            const Unrolling &Rounds,
                            const DenseSet<const Instruction *> &Leading,
                            const Instruction *From) {
  return Scheduler(Block, Around, Rounds, Leading, From).run();
}

} // namespace warpwise::access
