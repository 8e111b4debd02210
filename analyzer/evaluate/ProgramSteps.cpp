//===- ProgramSteps.cpp - Instructions as steps ---------------------------===//
//
// The half of ProgramBuilder that looks at one instruction: its steps, and the
// site that it is if it accesses memory. It knows nothing of the order of
// blocks.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/ProgramBuilder.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/evaluate/UnknownLayout.h"
#include "analyzer/lowering/ObjectOf.h"
#include "analyzer/lowering/SharedAtomics.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warpwise::access {

void ProgramBuilder::compile(Instruction &I) {
  if (auto *Call = dyn_cast<CallInst>(&I)) {
    if (isBarrier(*Call)) {
      emit(Code::Barrier, I, NoSlot);
      ++Segment;
      return;
    }
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
  if (const std::optional<Code> Simple = simpleCode(I); Simple && isScalar(I)) {
    emit(*Simple, I, slotOf(&I));
    return fillOperands(uint32_t(Result.Steps.size()) - 1, I);
  }
  opaque(I, I.getType()->isFPOrFPVectorTy() ? OriginFloat : OriginCall);
}

bool ProgramBuilder::isScalar(const Instruction &I) {
  for (const Value *Operand : I.operands())
    if (!isa<Function>(Operand) && !isScalarType(Operand->getType()))
      return false;
  return isScalarType(I.getType());
}

void ProgramBuilder::emitOffset(const Instruction &I, uint32_t Base,
                                uint64_t Bytes, uint32_t Into) {
  const uint32_t BytesSlot = constantSlot(Bytes);
  Step &Sum = emit(Code::Add, I, Into);
  Sum.Bits = 64;
  Sum.A = Base;
  Sum.B = BytesSlot;
}

void ProgramBuilder::fillOperands(uint32_t At, Instruction &I) {
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
void ProgramBuilder::opaque(Instruction &I, uint32_t From) {
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

void ProgramBuilder::compileExtract(Instruction &I, Value *Aggregate,
                                    uint64_t Index) {
  // Members of a by-value argument that lie side by side were combined into one
  // vector; each is known by itself.
  if (auto *Vector = dyn_cast<LoadInst>(Aggregate);
      Vector && Vector->getType()->isVectorTy() && isScalarType(I.getType()) &&
      lowering::objectOf(Vector->getPointerOperand()).Parameter) {
    const unsigned Bytes =
        unsigned(Layout.getTypeStoreSize(I.getType()).getFixedValue());
    const uint32_t Base = slotOf(Vector->getPointerOperand());
    const uint32_t Address = Result.Slots++;
    emitOffset(I, Base, Index * Bytes, Address);
    Step &Load = emit(Code::Load, I, slotOf(&I));
    Load.A = Address;
    Load.Immediate = Bytes;
    return;
  }
  const uint32_t From = slotOf(Aggregate);
  Step &S = emit(Code::Extract, I, slotOf(&I));
  S.A = From;
  S.Immediate = int64_t(Index);
}

void ProgramBuilder::compileAddress(const GEPOperator &Address,
                                    Instruction &I) {
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
  emitOffset(I, Before, uint64_t(Constant.getSExtValue()), Into);
}

void ProgramBuilder::compileCall(CallInst &Call) {
  if (std::optional<lowering::FragmentAccess> Fragment =
          lowering::fragmentAccess(Call))
    return compileFragment(Call, *Fragment);
  if (const auto Accesses = lowering::callAccesses(Call); !Accesses.empty())
    return compileCallAccesses(Call, Accesses);
  if (std::optional<Preset::Kind> Special = specialRegister(Call)) {
    using Kind = Preset::Kind;
    Result.UsesTidY |= *Special == Kind::TidY;
    Result.UsesTidZ |= *Special == Kind::TidZ;
    Result.AsksForBlock[0] |= *Special == Kind::CtaidX;
    Result.AsksForBlock[1] |= *Special == Kind::CtaidY;
    Result.AsksForBlock[2] |= *Special == Kind::CtaidZ;
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
    S.Immediate = Exchange->What == Code::Ballot && isOnlyCounted(Call);
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
  if (fetchesTexture(Call)) {
    Step &S = emit(Code::Unknown, Call, slotOf(&Call));
    S.Immediate = OriginMemory;
    return;
  }
  if (variesByLane(Call)) {
    Step &S = emit(Code::Unknown, Call, slotOf(&Call));
    S.Immediate = Call.isInlineAsm() ? OriginAssembly : OriginCall;
    return;
  }
  opaque(Call, Call.isInlineAsm() ? OriginAssembly : OriginCall);
}

int32_t ProgramBuilder::addSite(const Instruction &I, const Value *Pointer,
                                Operation Op, unsigned Bytes,
                                Access::Kind Sort) {
  const lowering::ObjectInfo Object = lowering::objectOf(Pointer);
  Site S;
  S.Instruction = &I;
  S.Memory = Object.Memory;
  S.Object = Object.Object;
  S.IsWithinObject = Object.IsWithin;
  S.Op = Op;
  S.Bytes = Bytes;
  S.Sort = Sort;
  S.Block = Current;
  S.OpenStrides = openStrides(Pointer);
  S.ShortSteps = shortSteps(Pointer);
  S.LaneStrides = laneStrides(Pointer);
  if (CurrentLoop >= 0)
    S.UnrolledIn = UnrolledIn[CurrentLoop];
  const int Among = S.UnrolledIn >= 0 ? -1 - S.UnrolledIn : Segment;
  auto [Number, New] = SegmentNumbers.try_emplace(
      std::tuple(Among, Op, Object.Base), int(SegmentNumbers.size()));
  S.Segment = Object.Base ? Number->second : -1;
  Result.Sites.push_back(S);
  return int32_t(Result.Sites.size()) - 1;
}

/// What one access of the hardware can move: no more than the alignment that
/// is known.
unsigned ProgramBuilder::accessBytes(const Instruction &I, unsigned Bytes) {
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

void ProgramBuilder::compileMemory(Instruction &I) {
  const MemoryReference Reference = memoryReference(I);
  const bool Atomic = Reference.Reads && Reference.Writes;
  const Operation Op = Atomic            ? Operation::Atomic
                       : Reference.Reads ? Operation::Load
                                         : Operation::Store;
  const lowering::ObjectInfo Object = lowering::objectOf(Reference.Pointer);
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
    if (auto *Modify = dyn_cast<AtomicRMWInst>(&I))
      Result.Sites[First].IsEmulated = lowering::isEmulated(*Modify);
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
    compileCallAccess(
        I, Address, Done,
        addSite(I, Reference.Pointer, Op, Width, Result.Sites[First].Sort));
}

void ProgramBuilder::compileCallAccess(const Instruction &I, uint32_t Base,
                                       uint64_t Offset, int32_t SiteNumber) {
  const uint32_t Address = Result.Slots++;
  emitOffset(I, Base, Offset, Address);
  Step &S = emit(Code::CallAccess, I, NoSlot);
  S.A = Address;
  S.Site = SiteNumber;
}

bool ProgramBuilder::isScalarType(const Type *T) {
  return !T->isVectorTy() && !T->isAggregateType() &&
         (T->isPointerTy() || T->getScalarSizeInBits() <= 64);
}

void ProgramBuilder::compileCallAccesses(
    CallInst &Call, ArrayRef<lowering::CallAccess> Accesses) {
  for (const lowering::CallAccess &A : Accesses) {
    const int32_t SiteNumber = addSite(Call, A.Pointer, A.Op, A.Bytes, A.Sort);
    Site &Made = Result.Sites[SiteNumber];
    if (A.Memory)
      Made.Memory = *A.Memory;
    Made.Lanes = A.Lanes;
    compileCallAccess(Call, slotOf(A.Pointer), uint64_t(A.Offset), SiteNumber);
  }
  if (!Call.getType()->isVoidTy() && Slots.contains(&Call)) {
    Step &S = emit(Code::Unknown, Call, slotOf(&Call));
    S.Immediate = OriginMemory;
  }
}

void ProgramBuilder::compileFragment(CallInst &Call,
                                     const lowering::FragmentAccess &Fragment) {
  const uint32_t Base = slotOf(Fragment.Pointer);
  const uint32_t Stride =
      Fragment.Stride ? slotOf(Fragment.Stride) : constantSlot(0);
  const Operation Op = Fragment.IsStore ? Operation::Store : Operation::Load;
  for (const lowering::FragmentRequest &Request : Fragment.Requests) {
    const int32_t SiteNumber = addSite(Call, Fragment.Pointer, Op,
                                       Request.Bytes, Access::Kind::TensorCore);
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

} // namespace warpwise::access
