//===- ExpandCalls.cpp - Accesses that are calls or assembly --------------===//

#include "analyzer/lowering/ExpandCalls.h"

#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/AssemblyExpander.h"
#include "analyzer/lowering/CallAccesses.h"
#include "analyzer/lowering/KnownIntrinsics.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/PtxStatement.h"
#include "analyzer/lowering/TensorCore.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <optional>

using namespace llvm;

namespace warpwise::lowering {
namespace {

StringRef calleeName(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : "";
}

/// The address space that \p Pointer leads to, where all its objects agree. A
/// kernel's pointer arguments point to global memory, as nvcc has it.
std::optional<unsigned> spaceBehind(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  std::optional<unsigned> Found;
  for (const Value *Object : Objects) {
    unsigned Space = Object->getType()->isPointerTy()
                         ? Object->getType()->getPointerAddressSpace()
                         : 0;
    if (isa<AllocaInst>(Object))
      Space = LocalSpace;
    else if (auto *Formal = dyn_cast<Argument>(Object); Formal && Space == 0)
      Space = Formal->hasByValAttr() ? LocalSpace : GlobalSpace;
    else if (Space == 0)
      return std::nullopt;
    if (Found.value_or(Space) != Space)
      return std::nullopt;
    Found = Space;
  }
  return Found;
}

/// Code that asks where a pointer leads takes one way for each copy.
void foldSpaceQuestion(CallInst &Call) {
  const std::optional<unsigned> Space = spaceBehind(Call.getArgOperand(0));
  if (!Space)
    return;
  const unsigned Asked =
      StringSwitch<unsigned>(calleeName(Call).rsplit('.').second)
          .Case("global", GlobalSpace)
          .Case("shared", SharedSpace)
          .Case("const", ConstantSpace)
          .Default(LocalSpace);
  Call.replaceAllUsesWith(
      ConstantInt::getBool(Call.getType(), *Space == Asked));
  Call.eraseFromParent();
}

/// llvm.nvvm.cp.async.cg.shared.global.16(to, from)
void expandAsyncCopy(CallInst &Call) {
  IRBuilder<> Builder(&Call);
  Value *To = nullptr, *From = nullptr;
  uint64_t Bytes = 0;
  for (const CallAccess &A : callAccesses(Call)) {
    (A.Op == access::Operation::Load ? From : To) =
        const_cast<Value *>(A.Pointer);
    Bytes = A.Bytes;
  }
  if (!To || !From)
    return;
  Type *T = Bytes == 16
                ? cast<Type>(FixedVectorType::get(Builder.getInt32Ty(), 4))
                : Builder.getIntNTy(unsigned(Bytes * 8));
  LoadInst *Loaded =
      Builder.CreateAlignedLoad(T, From, Align(1), /*isVolatile=*/true);
  if (calleeName(Call).contains(".cg."))
    markPastL1(*Loaded);
  Builder.CreateAlignedStore(Loaded, To, Align(1), /*isVolatile=*/true);
  Call.eraseFromParent();
}

/// The start of the lane's part of a matrix: \p OfLane is linear in the number
/// of the group of four lanes and in the number within it.
Value *laneDependent(IRBuilder<> &Builder, Value *Lane,
                     const std::array<uint16_t, 32> &OfLane) {
  const int Group = OfLane[4] - OfLane[0], Within = OfLane[1] - OfLane[0];
  for (int L = 0; L != 32; ++L)
    if (OfLane[L] != OfLane[0] + L / 4 * Group + L % 4 * Within)
      return nullptr;
  Value *Sum = Builder.getInt32(OfLane[0]);
  if (Group != 0)
    Sum = Builder.CreateAdd(
        Sum, Builder.CreateMul(Builder.CreateLShr(Lane, 2),
                               Builder.getInt32(uint32_t(Group))));
  if (Within != 0)
    Sum = Builder.CreateAdd(
        Sum, Builder.CreateMul(Builder.CreateAnd(Lane, 3),
                               Builder.getInt32(uint32_t(Within))));
  return Builder.CreateZExt(Sum, Builder.getInt64Ty());
}

/// Reports the requests of a matrix fragment in global memory. Its values are
/// data, which no address depends on; so the call stays for them.
void expandFragment(CallInst &Call) {
  if (spaceBehind(Call.getArgOperand(0)) == SharedSpace)
    return markExpanded(Call);
  const std::optional<FragmentAccess> Fragment = fragmentAccess(Call);
  if (!Fragment)
    return;
  IRBuilder<> Builder(&Call);
  Value *Lane =
      Builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
  Value *Stride = Builder.CreateSExt(const_cast<Value *>(Fragment->Stride),
                                     Builder.getInt64Ty());
  for (const FragmentRequest &R : Fragment->Requests) {
    Value *Line = laneDependent(Builder, Lane, R.Line);
    Value *Element = laneDependent(Builder, Lane, R.Element);
    if (!Line || !Element || R.Lanes != ~0u)
      return;
    Value *Offset = Builder.CreateMul(
        Builder.CreateAdd(Builder.CreateMul(Line, Stride), Element),
        Builder.getInt64(Fragment->ElementBytes));
    Value *At = Builder.CreateGEP(
        Builder.getInt8Ty(), const_cast<Value *>(Fragment->Pointer), Offset);
    Type *T = R.Bytes == 16
                  ? cast<Type>(FixedVectorType::get(Builder.getInt32Ty(), 4))
                  : Builder.getIntNTy(R.Bytes * 8);
    if (Fragment->IsStore)
      Builder.CreateAlignedStore(Constant::getNullValue(T), At, Align(1),
                                 /*isVolatile=*/true);
    else
      Builder.CreateAlignedLoad(T, At, Align(1), /*isVolatile=*/true);
  }
  markExpanded(Call);
}

/// Of a call whose accesses the instrumentation does not report: what it is.
std::string describe(const CallInst &Call) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    const std::string Text = withoutComments(Assembly->getAsmString());
    for (const PtxStatement &S : ptxStatements(Text))
      if (mayAccessGlobal(S))
        return "inline assembly '" + S.Opcode.str() + "'";
    return "";
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "a call through a pointer";
  StringRef Name = Callee->getName();
  const NvidiaMemory Does = nvidiaMemory(Name);
  if (Name.consume_front("llvm.nvvm."))
    switch (Does) {
    case NvidiaMemory::Copy:
    case NvidiaMemory::Fragment:
    case NvidiaMemory::Texture:
    case NvidiaMemory::Surface:
      return "'" + Name.str() + "'";
    default: // the instrumentation knows them, or they are not of global memory
      return "";
    }
  if (Callee->isIntrinsic())
    return isPlainIntrinsic(*Callee) ? "" : "'" + Name.str() + "'";
  if (!Callee->isDeclaration()) // all that can be inlined has been
    return Callee->doesNotAccessMemory()
               ? ""
               : "'" + demangle(Name) + "', which calls itself,";
  // libdevice's functions are pure, and others that are called so are unknown.
  if (Callee->doesNotAccessMemory() &&
      none_of(Callee->args(), [](const Argument &Parameter) {
        return Parameter.getType()->isPointerTy();
      }))
    return "";
  // The host's printf, device-side asserts and memory.
  const bool Harmless = StringSwitch<bool>(Name)
                            .Cases("vprintf", "__assertfail", "__assert_fail",
                                   "malloc", "free", true)
                            .Default(false);
  return Harmless ? "" : "a call of '" + demangle(Name) + "'";
}

} // namespace

void expandMemoryCalls(Function &F) {
  SmallVector<CallInst *, 32> Calls;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallInst>(&I))
      Calls.push_back(Call);
    else if (auto *Load = dyn_cast<LoadInst>(&I);
             Load && (Load->isVolatile() || Load->isAtomic()))
      markPastL1(*Load);
  }
  for (CallInst *Call : Calls) {
    const StringRef Name = calleeName(*Call);
    const NvidiaMemory Does = nvidiaMemory(Name);
    if (Call->isInlineAsm())
      expandAssembly(*Call);
    else if (Name.starts_with("llvm.nvvm.isspacep."))
      foldSpaceQuestion(*Call);
    else if (Does == NvidiaMemory::Copy)
      expandAsyncCopy(*Call);
    else if (Does == NvidiaMemory::Fragment)
      expandFragment(*Call);
  }
}

std::string unknownMemoryCall(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && !isExpanded(*Call))
      if (std::string What = describe(*Call); !What.empty())
        return What;
  return "";
}

} // namespace warpwise::lowering
