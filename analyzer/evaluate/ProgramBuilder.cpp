//===- ProgramBuilder.cpp - Compiles a kernel into a Program --------------===//
//
// What concerns the function as a whole: the order of blocks, loops, phis and
// endings, the slots of values, and the balance of what is modelled. What each
// instruction becomes is in ProgramSteps.cpp, so that a new one is read there
// alone.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/ProgramBuilder.h"

#include "analyzer/evaluate/BlockSchedule.h"
#include "analyzer/evaluate/Gathering.h"
#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/LaneArithmetic.h"
#include "analyzer/evaluate/LeadingArithmetic.h"
#include "analyzer/evaluate/LoadUses.h"
#include "analyzer/evaluate/LoopCounting.h"
#include "analyzer/evaluate/LoopSums.h"
#include "analyzer/evaluate/RoundArithmetic.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/evaluate/SwapLoops.h"
#include "analyzer/evaluate/Uniformity.h"
#include "analyzer/evaluate/UnrolledLoops.h"
#include "analyzer/lowering/BlockOrder.h"
#include "analyzer/lowering/BulkCopies.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/IR/InstIterator.h"

#include <cassert>

using namespace llvm;

namespace warpwise::access {

void ProgramBuilder::balance() {
  DenseSet<const Instruction *> HaveSites;
  for (const Site &S : Result.Sites)
    HaveSites.insert(S.Instruction);
  // What the evaluator takes for the thread's own memory, too.
  const auto isListed = [](const Instruction &I) {
    const Value *Pointer = memoryReference(I).Pointer;
    if (!Pointer)
      return true;
    const lowering::ObjectInfo Object = lowering::objectOf(Pointer);
    return !Object.Parameter && Object.Memory != Space::Local;
  };
  for (const Instruction &I : instructions(F)) {
    if (!BlockNumbers.contains(I.getParent()))
      continue; // no way leads there
    const bool IsAccess = lowering::accessesMemory(I) && isListed(I);
    Result.MemoryInstructions += IsAccess;
    auto *Call = dyn_cast<CallInst>(&I);
    std::string What = Call ? uncoveredBy(*Call) : "";
    if (What.empty() && IsAccess && !HaveSites.contains(&I)) {
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      What = Callee ? ("'" + Callee->getName() + "'").str()
                    : std::string("a ") + I.getOpcodeName();
    }
    if (What.empty())
      Result.Modelled += IsAccess;
    else
      Result.Omissions.push_back({&I, std::move(What)});
  }
}

Program ProgramBuilder::build() {
  DominatorTree Dominators(F);
  llvm::LoopInfo Loops(Dominators);
  PostDominatorTree PostDominators(F);
  auto [Instructions, ResultsUnused] = addressSlice(F);
  Relevant = std::move(Instructions);
  const std::vector<BasicBlock *> Order = lowering::convergentOrder(F, Loops);
  for (uint32_t N = 0; N != Order.size(); ++N)
    BlockNumbers[Order[N]] = N;
  const UnrolledLoops Unrolled = unrolledLoops(F, Dominators, Loops);
  listLoops(Loops, Unrolled);
  // Slots first: a phi refers to values of blocks that come later.
  for (BasicBlock *Block : Order)
    for (Instruction &I : *Block)
      if (Relevant.contains(&I) && !I.getType()->isVoidTy() &&
          !isa<AllocaInst>(I)) // an alloca is a preset
        Slots[&I] = ResultsUnused.contains(&I) ? NoSlot : Result.Slots++;
  Result.Blocks.resize(Order.size());
  for (Current = 0; Current != Order.size(); ++Current)
    compileBlock(*Order[Current], Loops, PostDominators);
  balance();
  schedule(Order, Loops, Dominators, Unrolled);
  for (PrivateUse &Use : privateUses(F, Loops, Unrolled))
    if (const auto Block = BlockNumbers.find(Use.Instruction->getParent());
        Block != BlockNumbers.end())
      Result.PrivateUses.emplace_back(Use, Block->second);
  for (Loop *L : Loops.getLoopsInPreorder())
    Result.Loops[LoopNumbers[L]].Count =
        countdownOf(*L, Relevant, [&](const Value *V) { return slotOf(V); });
  for (const Preset &P : Result.Presets)
    measure(P.Object);
  for (const Site &S : Result.Sites)
    measure(S.Object);
  noteBulkCopies();
  return std::move(Result);
}

void ProgramBuilder::noteBulkCopies() {
  for (const lowering::BulkCopy &Copy : lowering::bulkCopies(F)) {
    if (const auto Block = BlockNumbers.find(Copy.Call->getParent());
        Block != BlockNumbers.end())
      Result.Blocks[Block->second].BulkBytes += double(Copy.Bytes);
    for (Site &S : Result.Sites)
      S.IsTensorTile |= Copy.IsTensor && Copy.Into && S.Object == Copy.Into;
  }
}

void ProgramBuilder::measure(const Value *Object) {
  if (auto *Variable = dyn_cast_or_null<GlobalVariable>(Object);
      Variable && Variable->getValueType()->isSized())
    Result.ObjectBytes[Object] =
        Layout.getTypeAllocSize(Variable->getValueType());
  else if (auto *A = dyn_cast_or_null<llvm::Argument>(Object);
           A && A->hasByValAttr())
    Result.ObjectBytes[Object] =
        Layout.getTypeAllocSize(A->getParamByValType());
}

void ProgramBuilder::listLoops(llvm::LoopInfo &Loops,
                               const UnrolledLoops &Unrolled) {
  for (Loop *L : Loops.getLoopsInPreorder()) {
    LoopNumbers[L] = int32_t(Result.Loops.size());
    Result.Loops.push_back(
        {L->getParentLoop() ? LoopNumbers[L->getParentLoop()] : -1,
         BlockNumbers.lookup(L->getHeader()),
         L->getLoopDepth(),
         !L->isInnermost(),
         std::nullopt,
         {}});
    const int32_t Number = LoopNumbers[L], Parent = Result.Loops.back().Parent;
    const int32_t Around = Parent >= 0 ? UnrolledIn[Parent] : -1;
    UnrolledIn.push_back(!Unrolled.Whole.contains(L) ? -1
                         : Around >= 0               ? Around
                                                     : Number);
  }
}

/// What it takes nvcc to find out how many rounds of a loop it runs four at a
/// time, and how many are left.
static constexpr float EntryOfSplitLoop = 12;

static bool isSplit(const Loop &L, const UnrolledLoops &Unrolled) {
  const Unrolling Its = unrollingOf(L, Unrolled);
  return Its.Written > 1 && !Its.isWhole() && !Unrolled.Parts.contains(&L);
}

/// Whether \p V is counted by loops, from arguments and constants alone: so it
/// is the same in all warps that are as far, and nvcc computes it in registers
/// that the lanes share. (Of what hangs on blockIdx it does not: read off the
/// code of 40 loops, nvcc 13.)
static bool isCountedOnly(const Value &V, const llvm::LoopInfo &Loops) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Open{&V};
  while (!Open.empty()) {
    const auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (isa<CallInst, AllocaInst>(I) || I->mayReadOrWriteMemory() ||
        (isa<PHINode>(I) && !Loops.isLoopHeader(I->getParent())))
      return false;
    Open.append(I->op_begin(), I->op_end());
  }
  return true;
}

/// Whether all warps run \p L equally often.
static bool runsAlike(const Loop &L, const llvm::LoopInfo &Loops) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return all_of(Exiting, [&](const BasicBlock *Block) {
    const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    return Branch && isCountedOnly(*Branch->getCondition(), Loops);
  });
}

/// Whether the innermost loop around \p Load that stays one counts where it
/// loads from.
static bool isCounted(const LoadInst &Load, const llvm::LoopInfo &Loops,
                      const DenseMap<const Loop *, Unrolling> &Rounds) {
  const Loop *Innermost = Loops.getLoopFor(Load.getParent()), *L = Innermost;
  if (!L || !isCountedOnly(*Load.getPointerOperand(), Loops))
    return false;
  const Unrolling &Its = Rounds.find(L)->second;
  for (size_t N = 0; L && N != Its.Whole.size(); ++N)
    L = L->getParentLoop();
  Counting Inside(Innermost, Its.Whole);
  return L &&
         Counting(L, Inside).of(Load.getPointerOperand()) != Growth::None &&
         runsAlike(*L, Loops);
}

void ProgramBuilder::schedule(const std::vector<BasicBlock *> &Order,
                              const llvm::LoopInfo &Loops,
                              const DominatorTree &Dominators,
                              const UnrolledLoops &Unrolled) {
  /// As they are, if arguments were restricted, if registers held the words.
  DenseMap<const Loop *, Unrolling> Rounds, IfRestricted, IfCarried;
  const CarriedWords Carried = carriedWords(F, Loops);
  std::vector<BlockSchedule> Schedules;
  const DenseSet<const Instruction *> Leading = leadingArithmetic(F);
  const Gathering End = gatheringOf(Order, Dominators, Loops);
  for (uint32_t N = 0; N != Order.size(); ++N) {
    const Loop *Around = Loops.getLoopFor(Order[N]);
    if (Around && !Rounds.contains(Around)) {
      Rounds[Around] = unrollingOf(*Around, Unrolled);
      IfRestricted[Around] =
          unrollingOf(*Around, Unrolled, Pointers::Restricted);
      IfCarried[Around] =
          unrollingOf(*Around, Unrolled, Pointers::AsDeclared, Carried);
    }
    const bool Begins = End.First && End.First->getParent() == Order[N];
    Schedules.push_back(scheduleBlock(*Order[N], Around, Rounds.lookup(Around),
                                      Leading, Begins ? End.First : nullptr));
    BlockCode &Code = Result.Blocks[N];
    Code.Issued = Schedules[N].Issued;
    Code.Leading = Schedules[N].Leading;
    Code.ChainSteps = Schedules[N].ChainSteps;
    if (Begins) {
      Code.Gathered = Schedules[N].IssuedLast;
      Code.GatheredSteps = Schedules[N].StepsLast;
    } else if (End.Blocks.contains(Order[N])) {
      Code.Gathered = Code.Issued;
      Code.GatheredSteps = Code.ChainSteps;
    }
    Code.Barriers = unsigned(count_if(*Order[N], isBarrier));
    Code.IsPredicated = isPredicated(*Order[N], Schedules[N]);
    for (const BasicBlock *Next : successors(Order[N]))
      if (const Loop *L = Loops.getLoopFor(Next); L && L->getHeader() == Next &&
                                                  !L->contains(Order[N]) &&
                                                  isSplit(*L, Unrolled))
        Code.Issued[unsigned(Pipe::Other)] += EntryOfSplitLoop;
    for (const Loop *L = Around; L; L = L->getParentLoop())
      Code.Copies *= float(std::max({1u, Unrolled.Whole.lookup(L),
                                     Unrolled.WholeButForMemory.lookup(L)}));
  }
  // By block, whether they are stores, and rank.
  std::map<std::tuple<uint32_t, bool, unsigned>, unsigned> Groups;
  const auto groupOf = [&](const Site &S, bool IsStore, unsigned Rank) {
    return Groups.try_emplace({S.Block, IsStore, Rank}, Groups.size())
        .first->second;
  };
  DenseMap<const Loop *, bool> AddsUp;
  for (Site &S : Result.Sites) {
    Result.Blocks[S.Block].SharedRequests += S.Memory == Space::Shared;
    S.Gathers = End.contains(*S.Instruction);
    S.BringsTile = bringsTile(*S.Instruction, Loops);
    if (S.Op == Operation::Atomic && S.Instruction->isAtomic()) {
      S.Serialises = serialises(*S.Instruction, Loops);
      S.IsJoined = isJoined(*S.Instruction, Loops);
      S.HitsOneWord =
          isWarpUniform(*memoryReference(*S.Instruction).Pointer, &Loops);
    }
    S.IsFactor = isFactor(*S.Instruction);
    if (const auto *Load = dyn_cast<LoadInst>(S.Instruction))
      S.IsCounted = isCounted(*Load, Loops, Rounds);
    S.StagedIn = stagedIn(*S.Instruction);
    S.At = indexOf(*S.Instruction);
    S.Window = warpWindow(*S.Instruction, Loops);
    S.Swaps = swapLoop(*S.Instruction, Loops);
    if (const Loop *Around = Loops.getLoopFor(S.Instruction->getParent())) {
      const auto [Known, IsNew] = AddsUp.try_emplace(Around, false);
      if (IsNew)
        Known->second = onlyAddsUp(*Around);
      S.RoundsAddUp = Known->second;
      S.BeginsAfresh = Known->second && beginsAfresh(*Around);
      S.IsSameInRounds = isSameInRounds(*S.Instruction, *Around);
      S.WalksAcross = S.Op != Operation::Atomic &&
                      getLoadStorePointerOperand(S.Instruction) &&
                      walksAcross(*S.Instruction, *Around);
      for (const Loop *L = Around; L && !S.IsOverGrid; L = L->getParentLoop())
        S.IsOverGrid = goesOverGrid(*L);
      if (const Value *Pointer = getLoadStorePointerOperand(S.Instruction))
        S.RoundBytes =
            roundBytes(Pointer, *Around, S.Instruction->getDataLayout());
    }
    if (const auto Its = Carried.find(S.Instruction); Its != Carried.end()) {
      S.CarriedIn = LoopNumbers.lookup(Its->second.Around);
      S.CarriedWord = Its->second.Word;
    }
    const auto &Stores = Schedules[S.Block].Stores;
    if (const auto Its = Stores.find(S.Instruction); Its != Stores.end()) {
      S.WaitGroup = groupOf(S, true, Its->second.Rank);
      S.RoundsAtOnce = Its->second.RoundsAtOnce;
      S.MostRoundsAtOnce = Its->second.MostRoundsAtOnce;
    }
    const auto &Waits = Schedules[S.Block].Waits;
    const auto Its = Waits.find(S.Instruction);
    if (Its == Waits.end())
      continue;
    const float Least = Its->second.Least;
    S.Waits = S.WaitsIfRestricted = S.WaitsIfInRegister =
        std::max(Least, Its->second.Times);
    if (const Loop *Around = Loops.getLoopFor(S.Instruction->getParent())) {
      const auto waits = [&](DenseMap<const Loop *, Unrolling> &Of) {
        return std::max(Least, 1 / float(Of[Around].atOnce(S.Memory)));
      };
      S.WaitsIfRestricted = waits(IfRestricted);
      S.WaitsIfInRegister = waits(IfCarried);
    }
    S.RoundsAtOnce = Its->second.RoundsAtOnce;
    S.MostRoundsAtOnce = Its->second.MostRoundsAtOnce;
    S.WaitGroup = groupOf(S, false, Its->second.Rank);
  }
}

uint32_t ProgramBuilder::presetSlot(Preset::Kind What, uint64_t Number,
                                    const Value *Object) {
  auto [Entry, New] =
      PresetSlots.try_emplace(std::tuple(What, Object, Number), Result.Slots);
  if (New)
    Result.Presets.push_back({What, Result.Slots++, Number, Object});
  return Entry->second;
}

uint32_t ProgramBuilder::constantSlot(uint64_t Value) {
  return presetSlot(Preset::Kind::Constant, Value);
}

uint32_t ProgramBuilder::slotOf(const Value *V) {
  if (auto Known = Slots.find(V); Known != Slots.end())
    return Known->second;
  const uint32_t Slot = slotOfNew(V);
  Slots[V] = Slot;
  return Slot;
}

uint32_t ProgramBuilder::slotOfNew(const Value *V) {
  if (auto *Integer = dyn_cast<ConstantInt>(V))
    return constantSlot(Integer->getValue().zextOrTrunc(64).getZExtValue());
  if (auto *Real = dyn_cast<ConstantFP>(V))
    return constantSlot(
        Real->getValueAPF().bitcastToAPInt().zextOrTrunc(64).getZExtValue());
  if (isa<ConstantPointerNull, ConstantAggregateZero>(V))
    return constantSlot(0);
  if (isa<UndefValue>(V))
    return presetSlot(Preset::Kind::Undefined, 0);
  if (auto *A = dyn_cast<llvm::Argument>(V))
    return presetSlot(Preset::Kind::Argument, A->getArgNo(), A);
  if (isa<AllocaInst>(V)) {
    auto *Slot = cast<AllocaInst>(V);
    auto Size = Slot->getAllocationSize(Layout);
    Result.Privates.emplace_back(Slot, Size ? Size->getFixedValue() : 0);
    return presetSlot(Preset::Kind::Private, 0, V);
  }
  if (auto *C = dyn_cast<Constant>(V)) {
    if (auto *Cast = dyn_cast<ConstantExpr>(C);
        Cast && Cast->isCast() && !isa<GEPOperator>(C))
      return slotOf(Cast->getOperand(0));
    if (C->getType()->isPointerTy()) {
      APInt Offset(Layout.getIndexTypeSizeInBits(C->getType()), 0);
      const Value *Base = C->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true);
      if (isa<GlobalVariable>(Base))
        return presetSlot(Preset::Kind::Global, Offset.getZExtValue(), Base);
    }
  }
  return presetSlot(Preset::Kind::Assumed, Result.Slots, V);
}

Step &ProgramBuilder::emit(Code What, const Instruction &I,
                           uint32_t ResultSlot) {
  Step S;
  S.What = What;
  S.From = &I;
  S.Result = ResultSlot;
  if (I.getType()->isIntegerTy() || I.getType()->isFloatingPointTy())
    S.Bits =
        uint8_t(std::min<uint64_t>(64, I.getType()->getScalarSizeInBits()));
  Result.Steps.push_back(S);
  return Result.Steps.back();
}

void ProgramBuilder::compileBlock(BasicBlock &Block, llvm::LoopInfo &Loops,
                                  PostDominatorTree &PostDominators) {
  BlockCode Code;
  ++Segment;
  if (Loop *L = Loops.getLoopFor(&Block)) {
    Code.Loop = LoopNumbers[L];
    Code.IsHeader = L->getHeader() == &Block;
  }
  CurrentLoop = Code.Loop;
  if (auto *Node = PostDominators.getNode(&Block))
    if (auto *Next = Node->getIDom(); Next && Next->getBlock())
      if (auto Number = BlockNumbers.find(Next->getBlock());
          Number != BlockNumbers.end())
        Code.Meets = Number->second;
  Code.FirstStep = uint32_t(Result.Steps.size());
  for (Instruction &I : Block) {
    if (auto *P = dyn_cast<PHINode>(&I)) {
      if (Relevant.contains(P))
        Code.Phis.push_back(phi(*P));
      continue;
    }
    if (!I.isTerminator())
      compile(I);
  }
  Code.EndStep = uint32_t(Result.Steps.size());
  compileEnding(*Block.getTerminator(), Code);
  if (const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
      Branch && Branch->isConditional()) {
    const Value *Condition = Branch->getCondition();
    Code.IsOfBlock =
        Code.Loop < 0 && isComputedFrom(Condition, Inputs::BlockIds);
    // The size of an image may come from a list of them.
    Code.IsOfPlace =
        isComputedFrom(Condition, Inputs::Place | Inputs::Tables) &&
        !isComputedFrom(Condition, Inputs::Tables);
  }
  Result.Blocks[Current] = std::move(Code);
}

Phi ProgramBuilder::phi(PHINode &P) {
  const Type *T = P.getType();
  const unsigned Bits = T->isPointerTy() ? 64 : T->getScalarSizeInBits();
  Phi Made{Slots.lookup(&P), uint8_t(Bits ? std::min(64u, Bits) : 64), {}};
  for (unsigned N = 0; N != P.getNumIncomingValues(); ++N)
    if (auto From = BlockNumbers.find(P.getIncomingBlock(N));
        From != BlockNumbers.end())
      Made.Incoming.emplace_back(From->second, slotOf(P.getIncomingValue(N)));
  return Made;
}

void ProgramBuilder::compileEnding(Instruction &End, BlockCode &Code) {
  auto target = [&](BasicBlock *To) {
    Code.Targets.push_back(BlockNumbers.lookup(To));
  };
  if (auto *Branch = dyn_cast<BranchInst>(&End)) {
    target(Branch->getSuccessor(0));
    Code.End = BlockCode::Ending::Jump;
    if (Branch->isConditional()) {
      target(Branch->getSuccessor(1));
      Code.Condition = slotOf(Branch->getCondition());
      Code.End = BlockCode::Ending::Branch;
    }
  } else if (auto *Switch = dyn_cast<SwitchInst>(&End)) {
    target(Switch->getDefaultDest());
    for (auto Case : Switch->cases()) {
      Code.Cases.push_back(Case.getCaseValue()->getValue().getZExtValue());
      target(Case.getCaseSuccessor());
    }
    Code.Condition = slotOf(Switch->getCondition());
    Code.End = BlockCode::Ending::Switch;
  }
}

/// True when \p Inner is \p Outer or lies in it.
bool isWithin(const std::vector<LoopInfo> &Loops, int32_t Inner,
              int32_t Outer) {
  while (Inner >= 0 && Inner != Outer)
    Inner = Loops[Inner].Parent;
  return Inner == Outer;
}

/// What is computed in loop \p Number from the variables of its header.
static std::vector<uint32_t> varyingSlots(const Program &P, int32_t Number) {
  std::vector<uint32_t> Varying;
  std::vector<uint8_t> Varies(P.Slots);
  bool Found = false;
  auto mark = [&](uint32_t Slot) {
    if (Slot == NoSlot || Varies[Slot])
      return;
    Varies[Slot] = 1;
    Varying.push_back(Slot);
    Found = true;
  };
  auto depends = [&](uint32_t Slot) { return Slot != NoSlot && Varies[Slot]; };
  for (const Phi &Variable : P.Blocks[P.Loops[Number].Header].Phis)
    mark(Variable.Slot);
  while (Found) {
    Found = false;
    for (uint32_t B = P.Loops[Number].Header;
         B != P.Blocks.size() && isWithin(P.Loops, P.Blocks[B].Loop, Number);
         ++B) {
      for (const Phi &Joined : P.Blocks[B].Phis)
        for (const auto &[From, Slot] : Joined.Incoming)
          if (depends(Slot))
            mark(Joined.Slot);
      for (uint32_t N = P.Blocks[B].FirstStep; N != P.Blocks[B].EndStep; ++N) {
        const Step &S = P.Steps[N];
        if (depends(S.A) || depends(S.B) || depends(S.C))
          mark(S.Result);
      }
    }
  }
  return Varying;
}

/// What is not known of a matrix in one place is not known in another: its row
/// 0 shows one stride only.
static void shareUnknownLayouts(std::vector<Site> &Sites) {
  DenseMap<const Value *, std::vector<const Value *>> Open;
  for (const Site &S : Sites)
    if (!S.OpenStrides.empty() && S.Object)
      llvm::append_range(Open[S.Object], S.OpenStrides);
  for (Site &S : Sites)
    if (const auto Known = Open.find(S.Object); Known != Open.end())
      S.OpenStrides = Known->second;
}

/// How many integers that the launch gives are multiplied with each other on
/// the way to \p V, at most.
static unsigned sizesMultiplied(const Value *V,
                                DenseMap<const Value *, unsigned> &Known) {
  if (!V->getType()->isIntegerTy(32) && !V->getType()->isIntegerTy(64))
    return 0;
  if (isa<Argument>(V) ||
      (isa<LoadInst>(V) && isComputedFrom(V, Inputs::Arguments)))
    return 1;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<LoadInst>(I))
    return 0;
  const auto [Place, IsNew] = Known.try_emplace(V, 0);
  if (!IsNew)
    return Place->second; // 0 where a loop leads back
  unsigned Most = 0, Sum = 0;
  switch (I->getOpcode()) {
  case Instruction::Mul:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    for (const Value *Of : I->operands()) {
      const unsigned Its = sizesMultiplied(Of, Known);
      Most = std::max(Most, Its);
      Sum += Its;
    }
    break;
  default:
    break;
  }
  return Known[V] = I->getOpcode() == Instruction::Mul ? Sum : Most;
}

static bool multipliesSizes(const Function &Kernel) {
  constexpr unsigned Many = 3;
  DenseMap<const Value *, unsigned> Known;
  return any_of(instructions(Kernel), [&](const Instruction &I) {
    return I.getOpcode() == Instruction::Mul && I.getType()->isIntegerTy(32) &&
           sizesMultiplied(&I, Known) >= Many;
  });
}

/// What those that run a program rely on, see Program.
[[maybe_unused]] static bool isWellFormed(const Program &P) {
  const auto isSlot = [&](uint32_t Slot) {
    return Slot == NoSlot || Slot < P.Slots;
  };
  const auto isLoop = [&](int32_t Loop) {
    return Loop >= -1 && Loop < int32_t(P.Loops.size());
  };
  const auto isStep = [&](const Step &S) {
    return isSlot(S.Result) && isSlot(S.A) && isSlot(S.B) && isSlot(S.C) &&
           S.Site < int32_t(P.Sites.size()) &&
           (!isLanewise(S.What) || (S.A != NoSlot && S.Result != NoSlot));
  };
  const auto hasTargets = [&](const BlockCode &B) {
    using Ending = BlockCode::Ending;
    const size_t Targets[] = {0, 1, 2, B.Cases.size() + 1}; // by ending
    return B.Targets.size() == Targets[size_t(B.End)] &&
           (B.Condition != NoSlot) ==
               (B.End == Ending::Branch || B.End == Ending::Switch);
  };
  std::vector<std::vector<uint32_t>> Predecessors(P.Blocks.size());
  uint32_t Next = 0; // blocks have their steps one after the other
  for (uint32_t N = 0; N != P.Blocks.size(); ++N) {
    const BlockCode &B = P.Blocks[N];
    if (B.FirstStep != Next || B.EndStep < Next || !isLoop(B.Loop) ||
        !isSlot(B.Condition) || !hasTargets(B))
      return false;
    Next = B.EndStep;
    for (uint32_t To : B.Targets) {
      if (To >= P.Blocks.size())
        return false;
      Predecessors[To].push_back(N);
    }
  }
  for (uint32_t N = 0; N != P.Blocks.size(); ++N)
    for (const Phi &Each : P.Blocks[N].Phis)
      for (uint32_t From : Predecessors[N])
        if (none_of(Each.Incoming, [&](const auto &Way) {
              return Way.first == From && Way.second < P.Slots;
            }))
          return false;
  for (int32_t L = 0; L != int32_t(P.Loops.size()); ++L)
    if (P.Loops[L].Parent >= L || !P.Blocks[P.Loops[L].Header].IsHeader)
      return false; // a loop comes after those around it
  return Next == P.Steps.size() && all_of(P.Steps, isStep) &&
         all_of(P.Presets, [&](const Preset &S) { return S.Slot < P.Slots; }) &&
         all_of(P.Sites, [&](const Site &S) {
           return S.Block < P.Blocks.size() && S.Bytes != 0;
         });
}

/// Blocks that store to private memory.
static std::vector<bool> findPrivateStores(const Program &P) {
  std::vector<bool> Stores(P.Blocks.size());
  for (size_t N = 0; N != P.Blocks.size(); ++N)
    Stores[N] =
        std::any_of(P.Steps.begin() + P.Blocks[N].FirstStep,
                    P.Steps.begin() + P.Blocks[N].EndStep, [](const Step &S) {
                      return S.What == Code::Store && S.Site < 0;
                    });
  return Stores;
}

/// Whether one of \p Stores lies between the ending of \p Branch and where its
/// ways meet.
static bool passesOne(const std::vector<bool> &Stores, const Program &P,
                      const BlockCode &Branch) {
  SmallVector<uint32_t, 16> Pending(Branch.Targets.begin(),
                                    Branch.Targets.end());
  std::vector<bool> Known(P.Blocks.size());
  while (!Pending.empty()) {
    const uint32_t N = Pending.pop_back_val();
    if (N == Branch.Meets || Known[N])
      continue;
    if (Stores[N])
      return true;
    Known[N] = true;
    Pending.append(P.Blocks[N].Targets.begin(), P.Blocks[N].Targets.end());
  }
  return false;
}

static void markPrivateJoins(Program &P) {
  const std::vector<bool> Stores = findPrivateStores(P);
  if (!is_contained(Stores, true))
    return;
  for (const BlockCode &Block : P.Blocks)
    if (Block.Targets.size() > 1 && Block.Meets != NoSlot &&
        !P.Blocks[Block.Meets].JoinsPrivateStores)
      P.Blocks[Block.Meets].JoinsPrivateStores = passesOne(Stores, P, Block);
}

Program compileKernel(Function &Kernel) {
  Program P = ProgramBuilder(Kernel).build();
  shareUnknownLayouts(P.Sites);
  P.MultipliesSizes = multipliesSizes(Kernel);
  markPrivateJoins(P);
  for (int32_t L = 0; L != int32_t(P.Loops.size()); ++L)
    P.Loops[L].Varying = varyingSlots(P, L);
  for (Site &S : P.Sites)
    if (const int32_t Loop = P.Blocks[S.Block].Loop; Loop >= 0)
      S.LoopDepth = P.Loops[Loop].Depth;
  assert(isWellFormed(P) && "a program that would run astray");
  return P;
}

} // namespace warpwise::access
