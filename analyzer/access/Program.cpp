//===- Program.cpp - A kernel as the lane evaluator runs it ---------------===//

#include "analyzer/access/Program.h"

#include "analyzer/access/BlockOrder.h"
#include "analyzer/access/CopyInstructions.h"
#include "analyzer/access/Instructions.h"
#include "analyzer/access/LaneValue.h"
#include "analyzer/access/LoopCounting.h"
#include "analyzer/access/ObjectOf.h"
#include "analyzer/access/Slice.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <map>

using namespace llvm;

namespace warpwise::access {
namespace {

class ProgramBuilder {
  Function &F;
  const DataLayout &Layout;
  Program Result;
  DenseMap<const Value *, uint32_t> Slots;
  std::map<std::tuple<Preset::Kind, const Value *, uint64_t>, uint32_t>
      PresetSlots;
  DenseMap<const BasicBlock *, uint32_t> BlockNumbers;
  DenseSet<const Instruction *> Relevant;
  uint32_t Current = 0; ///< block being compiled
  int Segment = 0;      ///< see Site::Segment
  std::map<std::tuple<int, Operation, const Value *>, int> SegmentNumbers;

public:
  explicit ProgramBuilder(Function &F)
      : F(F), Layout(F.getParent()->getDataLayout()) {
    Result.Kernel = &F;
  }

  Program build() {
    DominatorTree Dominators(F);
    llvm::LoopInfo Loops(Dominators);
    PostDominatorTree PostDominators(F);
    Relevant = addressSlice(F);
    const std::vector<BasicBlock *> Order = convergentOrder(F, Loops);
    for (uint32_t N = 0; N != Order.size(); ++N)
      BlockNumbers[Order[N]] = N;
    listLoops(Loops);
    // Slots first: a phi refers to values of blocks that come later.
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        if (Relevant.contains(&I) && !I.getType()->isVoidTy() &&
            !isa<AllocaInst>(I)) // an alloca is a preset
          Slots[&I] = Result.Slots++;
    Result.Blocks.resize(Order.size());
    for (Current = 0; Current != Order.size(); ++Current)
      compileBlock(*Order[Current], Loops, PostDominators);
    for (Loop *L : Loops.getLoopsInPreorder())
      Result.Loops[LoopNumbers[L]].Count =
          countdownOf(*L, Relevant, [&](const Value *V) { return slotOf(V); });
    return std::move(Result);
  }

private:
  DenseMap<const Loop *, int32_t> LoopNumbers;

  void listLoops(llvm::LoopInfo &Loops) {
    for (Loop *L : Loops.getLoopsInPreorder()) {
      LoopNumbers[L] = int32_t(Result.Loops.size());
      Result.Loops.push_back(
          {L->getParentLoop() ? LoopNumbers[L->getParentLoop()] : -1,
           BlockNumbers.lookup(L->getHeader()), L->getLoopDepth(),
           !L->isInnermost(), std::nullopt});
    }
  }

  uint32_t presetSlot(Preset::Kind What, uint64_t Number,
                      const Value *Object = nullptr) {
    auto [Entry, New] =
        PresetSlots.try_emplace(std::tuple(What, Object, Number), Result.Slots);
    if (New)
      Result.Presets.push_back({What, Result.Slots++, Number, Object});
    return Entry->second;
  }

  uint32_t constantSlot(uint64_t Value) {
    return presetSlot(Preset::Kind::Constant, Value);
  }

  uint32_t slotOf(const Value *V) {
    if (auto Known = Slots.find(V); Known != Slots.end())
      return Known->second;
    const uint32_t Slot = slotOfNew(V);
    Slots[V] = Slot;
    return Slot;
  }

  uint32_t slotOfNew(const Value *V) {
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

  Step &emit(Code What, const Instruction &I, uint32_t ResultSlot) {
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

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  void compileBlock(BasicBlock &Block, llvm::LoopInfo &Loops,
                    PostDominatorTree &PostDominators) {
    BlockCode Code;
    ++Segment;
    if (Loop *L = Loops.getLoopFor(&Block)) {
      Code.Loop = LoopNumbers[L];
      Code.IsHeader = L->getHeader() == &Block;
    }
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
    Result.Blocks[Current] = std::move(Code);
  }

  Phi phi(PHINode &P) {
    Phi Made{Slots.lookup(&P), {}};
    for (unsigned N = 0; N != P.getNumIncomingValues(); ++N)
      if (auto From = BlockNumbers.find(P.getIncomingBlock(N));
          From != BlockNumbers.end())
        Made.Incoming.emplace_back(From->second, slotOf(P.getIncomingValue(N)));
    return Made;
  }

  void compileEnding(Instruction &End, BlockCode &Code) {
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

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  void compile(Instruction &I) {
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      if (isBarrier(*Call)) {
        emit(Code::Barrier, I, NoSlot);
        ++Segment;
        return;
      }
      noteUncovered(*Call);
    }
    if (!Relevant.contains(&I) || isa<AllocaInst>(I))
      return;
    if (memoryReference(I).Pointer)
      return compileMemory(I);
    if (auto *Address = dyn_cast<GEPOperator>(&I))
      return compileAddress(*Address, I);
    if (auto *Call = dyn_cast<CallInst>(&I))
      return compileCall(*Call);
    if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
      return compileExtract(I, Extract->getAggregateOperand(),
                            Extract->getIndices().front());
    if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
      if (auto *Index = dyn_cast<ConstantInt>(Extract->getIndexOperand()))
        return compileExtract(I, Extract->getVectorOperand(),
                              Index->getZExtValue());
    if (const std::optional<Code> Simple = simpleCode(I);
        Simple && isScalar(I)) {
      emit(*Simple, I, slotOf(&I));
      return fillOperands(uint32_t(Result.Steps.size()) - 1, I);
    }
    opaque(I, I.getType()->isFPOrFPVectorTy() ? OriginFloat : OriginCall);
  }

  static bool isScalar(const Instruction &I) {
    auto fits = [](const Type *T) {
      return !T->isVectorTy() && !T->isAggregateType() &&
             T->getScalarSizeInBits() <= 64 && !T->isFP128Ty();
    };
    for (const Value *Operand : I.operands())
      if (!isa<Function>(Operand) && !fits(Operand->getType()))
        return false;
    return fits(I.getType());
  }

  void fillOperands(uint32_t At, Instruction &I) {
    const bool Call = isa<CallInst>(I);
    const unsigned Count =
        Call ? cast<CallInst>(I).arg_size() : I.getNumOperands();
    uint32_t *Into[] = {&Result.Steps[At].A, &Result.Steps[At].B,
                        &Result.Steps[At].C};
    uint32_t Found[3] = {NoSlot, NoSlot, NoSlot};
    for (unsigned N = 0; N != std::min(Count, 3u); ++N)
      Found[N] =
          slotOf(Call ? cast<CallInst>(I).getArgOperand(N) : I.getOperand(N));
    for (unsigned N = 0; N != 3; ++N)
      *Into[N] = Found[N];
    Step &S = Result.Steps[At];
    Type *Source = I.getOperand(0)->getType();
    S.SourceBits =
        Source->isPointerTy()
            ? 64
            : uint8_t(std::min<uint64_t>(64, Source->getScalarSizeInBits()));
    if (swapsOperands(I))
      std::swap(S.A, S.B);
  }

  /// Result is uniform when all operands are, and unknown otherwise.
  void opaque(Instruction &I, uint16_t From) {
    if (I.getType()->isVoidTy())
      return;
    // Fold the operands pairwise into the result slot: what counts is only
    // whether each is uniform.
    const uint32_t Into = slotOf(&I);
    SmallVector<uint32_t, 4> Operands;
    for (Value *Operand : I.operands())
      if (!isa<Function, BasicBlock, InlineAsm, MetadataAsValue>(Operand))
        Operands.push_back(slotOf(Operand));
    uint32_t Before = NoSlot;
    const size_t Rounds = Operands.empty() ? 1 : (Operands.size() + 1) / 2;
    for (size_t N = 0; N != Rounds; ++N) {
      Step &S = emit(Code::Opaque, I, Into);
      S.Immediate = From;
      S.A = 2 * N < Operands.size() ? Operands[2 * N] : NoSlot;
      S.B = 2 * N + 1 < Operands.size() ? Operands[2 * N + 1] : NoSlot;
      S.C = Before;
      Before = Into;
    }
  }

  void compileExtract(Instruction &I, Value *Aggregate, uint64_t Index) {
    const uint32_t From = slotOf(Aggregate);
    Step &S = emit(Code::Extract, I, slotOf(&I));
    S.A = From;
    S.Immediate = int64_t(Index);
  }

  void compileAddress(const GEPOperator &Address, Instruction &I) {
    const unsigned Width = Layout.getIndexTypeSizeInBits(I.getType());
    MapVector<Value *, APInt> Variable;
    APInt Constant(Width, 0);
    const uint32_t Into = slotOf(&I);
    if (I.getType()->isVectorTy() ||
        !Address.collectOffset(Layout, Width, Variable, Constant))
      return opaque(I, OriginCall);
    uint32_t Before = slotOf(Address.getPointerOperand());
    for (auto &[Index, Scale] : Variable) {
      const uint32_t IndexSlot = slotOf(Index);
      Step &S = emit(Code::AddScaled, I, Into);
      S.Bits = 64;
      S.SourceBits =
          uint8_t(std::min(64u, Index->getType()->getScalarSizeInBits()));
      S.A = Before;
      S.B = IndexSlot;
      S.Immediate = Scale.getSExtValue();
      Before = Into;
    }
    const uint32_t Offset = constantSlot(uint64_t(Constant.getSExtValue()));
    Step &S = emit(Code::Add, I, Into);
    S.Bits = 64;
    S.A = Before;
    S.B = Offset;
  }

  void compileCall(CallInst &Call) {
    if (std::optional<FragmentAccess> Fragment = fragmentAccess(Call))
      return compileFragment(Call, *Fragment);
    if (const auto Accesses = callAccesses(Call); !Accesses.empty())
      return compileCallAccesses(Call, Accesses);
    if (std::optional<Preset::Kind> Special = specialRegister(Call)) {
      using Kind = Preset::Kind;
      Result.UsesTidYZ |= *Special == Kind::TidY || *Special == Kind::TidZ;
      Result.UsesCtaid |= *Special == Kind::CtaidX ||
                          *Special == Kind::CtaidY || *Special == Kind::CtaidZ;
      const uint32_t From = presetSlot(*Special, 0);
      Step &S = emit(Code::Copy, Call, slotOf(&Call));
      S.A = From;
      return;
    }
    if (const std::optional<WarpExchange> Exchange = warpExchange(Call)) {
      const uint32_t Value = Exchange->Value ? slotOf(Exchange->Value) : NoSlot;
      const uint32_t Lane = Exchange->Lane ? slotOf(Exchange->Lane) : NoSlot;
      const uint32_t Clamp = Exchange->Clamp ? slotOf(Exchange->Clamp) : NoSlot;
      Step &S = emit(Exchange->What, Call, slotOf(&Call));
      S.A = Value;
      S.B = Lane;
      S.C = Clamp;
      return;
    }
    if (const std::optional<Code> Simple = simpleCode(Call);
        Simple && isScalar(Call)) {
      emit(*Simple, Call, slotOf(&Call));
      return fillOperands(uint32_t(Result.Steps.size()) - 1, Call);
    }
    if (Call.getType()->isVoidTy())
      return;
    if (variesByLane(Call)) {
      Step &S = emit(Code::Unknown, Call, slotOf(&Call));
      S.Immediate = Call.isInlineAsm() ? OriginAssembly : OriginCall;
      return;
    }
    opaque(Call, Call.isInlineAsm() ? OriginAssembly : OriginCall);
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  int32_t addSite(const Instruction &I, const Value *Pointer, Operation Op,
                  unsigned Bytes, Access::Kind Sort) {
    const ObjectInfo Object = objectOf(Pointer);
    Site S;
    S.Instruction = &I;
    S.Memory = Object.Memory;
    S.Object = Object.Object;
    S.Op = Op;
    S.Bytes = Bytes;
    S.Sort = Sort;
    S.Block = Current;
    auto [Number, New] = SegmentNumbers.try_emplace(
        std::tuple(Segment, Op, Object.Object), int(SegmentNumbers.size()));
    S.Segment = Object.Object ? Number->second : -1;
    Result.Sites.push_back(S);
    return int32_t(Result.Sites.size()) - 1;
  }

  /// What one access of the hardware can move: no more than the alignment that
  /// is known.
  static unsigned accessBytes(const Instruction &I, unsigned Bytes) {
    uint64_t Aligned = Bytes;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Aligned = Load->getAlign().value();
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Aligned = Store->getAlign().value();
    unsigned Width = 16;
    while (Width > 1 && (Width > Aligned || Bytes % Width != 0))
      Width /= 2;
    return Width;
  }

  void compileMemory(Instruction &I) {
    const MemoryReference Reference = memoryReference(I);
    const bool Atomic = Reference.Reads && Reference.Writes;
    const Operation Op = Atomic            ? Operation::Atomic
                         : Reference.Reads ? Operation::Load
                                           : Operation::Store;
    const ObjectInfo Object = objectOf(Reference.Pointer);
    const bool Listed = !Object.Parameter && Object.Memory != Space::Local;
    const uint32_t Address = slotOf(Reference.Pointer);
    int32_t First = -1;
    unsigned Width = Reference.Bytes;
    if (Listed) {
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      const bool Volatile =
          (Load && Load->isVolatile()) || (Store && Store->isVolatile());
      Width = accessBytes(I, Reference.Bytes);
      First = addSite(I, Reference.Pointer, Op, Width,
                      Volatile ? Access::Kind::Volatile : Access::Kind::Plain);
      Result.Sites[First].Serialises = Atomic && serialises(I);
      if (Atomic)
        ++Segment;
    }
    uint32_t Stored = NoSlot;
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && Object.Memory == Space::Local &&
        isScalarType(Store->getValueOperand()->getType()))
      Stored = slotOf(Store->getValueOperand());
    const uint32_t Into = I.getType()->isVoidTy() ? NoSlot : slotOf(&I);
    Step &S = emit(Atomic            ? Code::Atomic
                   : Reference.Reads ? Code::Load
                                     : Code::Store,
                   I, Into);
    S.A = Address;
    S.B = Stored;
    S.Bits = uint8_t(std::min(64u, Reference.Bytes * 8));
    S.Immediate = Reference.Bytes;
    S.Site = First;
    if (!Listed)
      return;
    // The rest of an access that had to be split.
    for (unsigned Done = Width; Done < Reference.Bytes; Done += Width)
      compilePiece(I, Address, Done, Op, Width, Result.Sites[First].Sort,
                   Reference.Pointer);
  }

  void compilePiece(const Instruction &I, uint32_t Base, uint64_t Offset,
                    Operation Op, unsigned Bytes, Access::Kind Sort,
                    const Value *Pointer) {
    const int32_t SiteNumber = addSite(I, Pointer, Op, Bytes, Sort);
    compileCallAccess(I, Base, Offset, SiteNumber);
  }

  void compileCallAccess(const Instruction &I, uint32_t Base, uint64_t Offset,
                         int32_t SiteNumber) {
    const uint32_t OffsetSlot = constantSlot(Offset);
    const uint32_t Address = Result.Slots++;
    Step &Sum = emit(Code::Add, I, Address);
    Sum.Bits = 64;
    Sum.A = Base;
    Sum.B = OffsetSlot;
    Step &S = emit(Code::CallAccess, I, NoSlot);
    S.A = Address;
    S.Site = SiteNumber;
  }

  static bool isScalarType(const Type *T) {
    return !T->isVectorTy() && !T->isAggregateType() &&
           (T->isPointerTy() || T->getScalarSizeInBits() <= 64);
  }

  void compileCallAccesses(CallInst &Call, ArrayRef<CallAccess> Accesses) {
    for (const CallAccess &A : Accesses) {
      const int32_t SiteNumber =
          addSite(Call, A.Pointer, A.Op, A.Bytes, A.Sort);
      Site &Made = Result.Sites[SiteNumber];
      if (A.Memory)
        Made.Memory = *A.Memory;
      Made.Lanes = A.Lanes;
      compileCallAccess(Call, slotOf(A.Pointer), uint64_t(A.Offset),
                        SiteNumber);
    }
    if (!Call.getType()->isVoidTy() && Slots.contains(&Call)) {
      Step &S = emit(Code::Unknown, Call, slotOf(&Call));
      S.Immediate = OriginMemory;
    }
  }

  void compileFragment(CallInst &Call, const FragmentAccess &Fragment) {
    const uint32_t Base = slotOf(Fragment.Pointer);
    const uint32_t Stride =
        Fragment.Stride ? slotOf(Fragment.Stride) : constantSlot(0);
    const Operation Op = Fragment.IsStore ? Operation::Store : Operation::Load;
    for (const FragmentRequest &Request : Fragment.Requests) {
      const int32_t SiteNumber = addSite(
          Call, Fragment.Pointer, Op, Request.Bytes, Access::Kind::TensorCore);
      Result.Sites[SiteNumber].Fragment = int(Result.Fragments.size());
      Result.Sites[SiteNumber].Lanes = Request.Lanes;
      Result.Fragments.push_back({Request, Fragment.ElementBytes});
      Step &S = emit(Code::Fragment, Call, NoSlot);
      S.A = Base;
      S.B = Stride;
      S.Site = SiteNumber;
    }
    if (!Call.getType()->isVoidTy() && Slots.contains(&Call)) {
      Step &S = emit(Code::Unknown, Call, slotOf(&Call));
      S.Immediate = OriginMemory;
    }
  }

  void noteUncovered(const CallInst &Call) {
    if (const char *What = uncoveredBy(Call))
      if (!is_contained(Result.NotModelled, What))
        Result.NotModelled.push_back(What);
  }
};

} // namespace

Program compileKernel(Function &Kernel) {
  Program P = ProgramBuilder(Kernel).build();
  for (Site &S : P.Sites)
    if (const int32_t Loop = P.Blocks[S.Block].Loop; Loop >= 0)
      S.LoopDepth = P.Loops[Loop].Depth;
  return P;
}

} // namespace warpwise::access
