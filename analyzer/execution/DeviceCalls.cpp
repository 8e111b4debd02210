//===- DeviceCalls.cpp - What only a GPU has ------------------------------===//

#include "analyzer/execution/DeviceCalls.h"

#include "analyzer/execution/Admission.h"
#include "analyzer/execution/HostCalls.h"
#include "analyzer/execution/HostMath.h"
#include "analyzer/execution/Names.h"
#include "analyzer/lowering/AssemblyEffects.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/WarpReduction.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

using namespace llvm;
using warpwise::lowering::NvidiaMemory;

namespace warpwise::execution {
namespace {

std::optional<uint32_t> registerNamed(StringRef Name) {
  std::string Plain = Name.str();
  std::replace(Plain.begin(), Plain.end(), '_', '.');
  for (uint32_t N = 0; N != std::size(NamesOfRegisters); ++N)
    if (Plain == NamesOfRegisters[N])
      return N;
  return std::nullopt;
}

std::optional<Exchange> exchangeNamed(StringRef Name) {
  return StringSwitch<std::optional<Exchange>>(Name)
      .StartsWith("shfl.sync.idx", Exchange::ShuffleIndex)
      .StartsWith("shfl.sync.up", Exchange::ShuffleUp)
      .StartsWith("shfl.sync.down", Exchange::ShuffleDown)
      .StartsWith("shfl.sync.bfly", Exchange::ShuffleXor)
      .StartsWith("vote.ballot", Exchange::Ballot)
      .StartsWith("vote.any", Exchange::Any)
      .StartsWith("vote.all", Exchange::All)
      .StartsWith("vote.uni", Exchange::Uniform)
      .StartsWith("activemask", Exchange::ActiveMask)
      .StartsWith("match.any", Exchange::Match)
      .StartsWith("redux.sync.add", Exchange::Add)
      .StartsWith("redux.sync.min", Exchange::MinS)
      .StartsWith("redux.sync.max", Exchange::MaxS)
      .StartsWith("redux.sync.umin", Exchange::MinU)
      .StartsWith("redux.sync.umax", Exchange::MaxU)
      .StartsWith("redux.sync.and", Exchange::And)
      .StartsWith("redux.sync.or", Exchange::Or)
      .StartsWith("redux.sync.xor", Exchange::Xor)
      .Default(std::nullopt);
}

class Replacer {
  CallInst &Call;
  uint32_t Position;
  Point &What;
  HostFunctions &Host;
  const bool KeepUnknown;
  IRBuilder<> Builder;

public:
  Replacer(CallInst &Call, uint32_t Position, Point &What, HostFunctions &Host,
           bool KeepUnknown)
      : Call(Call), Position(Position), What(What), Host(Host),
        KeepUnknown(KeepUnknown), Builder(&Call) {}

  void replace() {
    Value *Result = build();
    if (!Call.getType()->isVoidTy()) {
      if (!Result || Result->getType() != Call.getType())
        Result =
            KeepUnknown ? unknown() : Constant::getNullValue(Call.getType());
      Call.replaceAllUsesWith(Result);
    }
    Call.eraseFromParent();
  }

private:
  Value *build() {
    if (Call.isInlineAsm())
      return assembly(lowering::assemblyEffects(Call));
    Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return nullptr; // through a pointer
    StringRef Name = sourceName(*Callee);
    if (Name == "llvm.trap" || Name == "llvm.ubsantrap" ||
        Name == "llvm.nvvm.exit")
      return Host.call(Builder, "warpwise.leave", Builder.getVoidTy(), {});
    if (Name.consume_front("__nv_"))
      return mathematics(Name);
    const NvidiaMemory Does = lowering::nvidiaMemory(Name);
    if (!Name.consume_front("llvm.nvvm."))
      return nullptr;
    if (Does == NvidiaMemory::Load)
      return readOnlyLoad();
    if (Does == NvidiaMemory::Atomic)
      return atomic(Name.split('.').second);
    if (Name.consume_front("read.ptx.sreg."))
      return special(registerNamed(Name));
    if (Name.starts_with("bar.warp"))
      return warpBarrier();
    if (Name.starts_with("barrier") || Name.starts_with("bar."))
      return blockBarrier(Name);
    if (const std::optional<Exchange> Found = exchangeNamed(Name))
      return exchange(*Found, Name);
    if (Name.starts_with("ptr."))
      return Builder.CreateAddrSpaceCast(Call.getArgOperand(0), Call.getType());
    if (Name.consume_front("isspacep."))
      return isSpace(Name);
    return hostArithmetic(Call, Builder);
  }

  Value *unknown() {
    const Function *Callee = Call.getCalledFunction();
    return Host.call(
        Builder,
        (UnknownCall + (Callee               ? sourceName(*Callee)
                        : Call.isInlineAsm() ? "inline assembly"
                                             : "a function pointer"))
            .str(),
        Call.getType(), {});
  }

  Value *assembly(const lowering::AssemblyEffects &Its) {
    if (Its.WarpBarrier)
      return warpBarrier();
    if (Its.BlockBarrier)
      return blockBarrier("");
    if (Its.ActiveMask)
      return exchange(Exchange::ActiveMask, "");
    return special(registerNamed(Its.Register));
  }

  Value *special(std::optional<uint32_t> Number) {
    if (!Number || !Call.getType()->isIntegerTy())
      return nullptr;
    Value *Read = Host.call(Builder, "warpwise.register", Builder.getInt32Ty(),
                            {Builder.getInt32(*Number)});
    return Builder.CreateZExtOrTrunc(Read, Call.getType());
  }

  Value *blockBarrier(StringRef Name) {
    What.What = Point::Kind::Barrier;
    const BarrierKind Kind = Name == "barrier0.popc"  ? BarrierKind::Count
                             : Name == "barrier0.and" ? BarrierKind::And
                             : Name == "barrier0.or"  ? BarrierKind::Or
                                                      : BarrierKind::Plain;
    Value *Predicate = Kind == BarrierKind::Plain ? Builder.getInt32(0)
                                                  : Call.getArgOperand(0);
    return Host.call(Builder, "warpwise.block_barrier", Builder.getInt32Ty(),
                     {Builder.getInt32(Position),
                      Builder.getInt32(uint32_t(Kind)), Predicate});
  }

  Value *warpBarrier() {
    What.What = Point::Kind::Barrier;
    return Host.call(Builder, "warpwise.warp_barrier", Builder.getVoidTy(),
                     {Builder.getInt32(Position)});
  }

  /// Any scalar in the low bits of 64.
  Value *asBits(Value *V) {
    if (!V->getType()->isIntegerTy())
      V = Builder.CreateBitCast(
          V, Builder.getIntNTy(V->getType()->getScalarSizeInBits()));
    return Builder.CreateZExt(V, Builder.getInt64Ty());
  }

  Value *exchange(Exchange Which, StringRef Name) {
    // The mask of lanes that take part comes first. Who takes part is known
    // from who arrives.
    const auto Reduction = lowering::warpReduction(Call);
    const unsigned First = Name.contains(".sync") ? 1 : 0;
    auto operand = [&](unsigned N) -> Value * {
      if (Reduction)
        return N == 0 ? Reduction->Of : Builder.getInt32(0);
      return First + N < Call.arg_size() && !Name.empty()
                 ? Call.getArgOperand(First + N)
                 : Builder.getInt32(0);
    };
    const bool Shuffle = Name.starts_with("shfl");
    Value *Zero = Builder.getInt32(0);
    Value *Result =
        Host.call(Builder, "warpwise.exchange", Builder.getInt64Ty(),
                  {Builder.getInt32(Position),
                   Builder.getInt32(uint32_t(Which)), asBits(operand(0)),
                   Shuffle ? operand(1) : Zero, Shuffle ? operand(2) : Zero});
    if (auto *Pair = dyn_cast<StructType>(Call.getType())) {
      if (!Shuffle)
        return nullptr;
      Value *Bits = Builder.CreateTrunc(Result, Builder.getInt32Ty());
      Value *Valid = Builder.CreateICmpNE(
          Builder.CreateAnd(Result, ShuffleValid), Builder.getInt64(0));
      Value *Filled = Builder.CreateInsertValue(
          PoisonValue::get(Pair),
          Builder.CreateBitCast(Bits, Pair->getElementType(0)), 0);
      return Builder.CreateInsertValue(Filled, Valid, 1);
    }
    const unsigned Bits = Call.getType()->getScalarSizeInBits();
    return Builder.CreateBitCast(
        Builder.CreateTrunc(Result, Builder.getIntNTy(Bits)), Call.getType());
  }

  void markAccess(access::Operation Op) {
    What.What = Point::Kind::Access;
    What.Op = Op;
    What.Bytes = unsigned(
        Call.getModule()->getDataLayout().getTypeStoreSize(Call.getType()));
  }

  Value *readOnlyLoad() {
    markAccess(access::Operation::Load);
    Value *From = Host.access(Builder, Position, Call.getArgOperand(0));
    return Builder.CreateAlignedLoad(Call.getType(), From, Align(1));
  }

  /// "add.gen.f.sys", "load.inc.32", "cas.gen.i.cta"
  Value *atomic(StringRef Name) {
    markAccess(access::Operation::Atomic);
    Value *At = Host.access(Builder, Position, Call.getArgOperand(0));
    Type *T = Call.getType();
    Value *Old = Builder.CreateAlignedLoad(T, At, Align(1));
    Value *Operand = Call.getArgOperand(1);
    Name.consume_front("load.");
    const StringRef Op = Name.split('.').first;
    Value *New = Operand;
    if (Op == "add")
      New = T->isFloatingPointTy() ? Builder.CreateFAdd(Old, Operand)
                                   : Builder.CreateAdd(Old, Operand);
    else if (Op == "and" || Op == "or" || Op == "xor")
      New = Builder.CreateBinOp(Op == "and"  ? Instruction::And
                                : Op == "or" ? Instruction::Or
                                             : Instruction::Xor,
                                Old, Operand);
    else if (Op == "min" || Op == "max")
      New = Builder.CreateSelect((Op == "min") ==
                                         false // larger wins in a maximum
                                     ? Builder.CreateICmpSGT(Old, Operand)
                                     : Builder.CreateICmpSLT(Old, Operand),
                                 Old, Operand);
    else if (Op == "inc")
      New = Builder.CreateSelect(
          Builder.CreateICmpUGE(Old, Operand), Constant::getNullValue(T),
          Builder.CreateAdd(Old, ConstantInt::get(T, 1)));
    else if (Op == "dec")
      New = Builder.CreateSelect(
          Builder.CreateOr(Builder.CreateIsNull(Old),
                           Builder.CreateICmpUGT(Old, Operand)),
          Operand, Builder.CreateSub(Old, ConstantInt::get(T, 1)));
    else if (Op == "cas")
      New = Builder.CreateSelect(Builder.CreateICmpEQ(Old, Operand),
                                 Call.getArgOperand(2), Old);
    Builder.CreateAlignedStore(New, At, Align(1));
    return Old;
  }

  Value *isSpace(StringRef Name) {
    const uint32_t Bit = StringSwitch<uint32_t>(Name)
                             .Case("shared", IsShared)
                             .Case("const", IsConstant)
                             .Case("local", IsLocal)
                             .Default(IsGlobal);
    Value *Space =
        Host.call(Builder, "warpwise.space_of", Builder.getInt32Ty(),
                  {HostFunctions::generic(Builder, Call.getArgOperand(0))});
    return Builder.CreateICmpNE(Builder.CreateAnd(Space, Bit),
                                Builder.getInt32(0));
  }

  /// A function of libdevice, as its name and type say.
  Value *mathematics(StringRef Name) {
    Name.consume_front("fast_");
    const MathFunction *Known = findMath(Name);
    if (!Known || !Known->has(*Call.getFunctionType()))
      return nullptr;
    SmallVector<Value *, 3> Arguments(Call.args());
    return Host.call(Builder, mathSymbol(*Known), Call.getType(), Arguments);
  }
};

} // namespace

bool isDeviceCall(const CallInst &Call) {
  if (Call.isInlineAsm())
    return true;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return true;
  return Callee->isIntrinsic() ? !runsOnHost(*Callee)
                               : !Callee->getName().starts_with(OwnPrefix);
}

void replaceDeviceCall(CallInst &Call, uint32_t Position, Point &What,
                       HostFunctions &Host, bool KeepUnknown) {
  Replacer(Call, Position, What, Host, KeepUnknown).replace();
}

} // namespace warpwise::execution
