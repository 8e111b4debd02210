//===- AssemblyExpander.cpp - Inline assembly as IR -----------------------===//

#include "analyzer/lowering/AssemblyExpander.h"

#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/AssemblyOperands.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace warpwise::lowering {
namespace {

constexpr const char *ExpandedMark = "warpwise.expanded";

/// Loads that other SMs' stores must be seen by, or that ask for it.
bool goesPastL1(const PtxStatement &S) {
  const bool Ordered = S.has("relaxed") || S.has("acquire");
  return S.has("cg") || S.has("cv") || S.has("volatile") ||
         S.has("L1::no_allocate") || (Ordered && !S.has("cta"));
}

class Expander : public AssemblyOperands {
  const bool Volatile;
  bool HasWaited = false;

public:
  Expander(CallInst &Call, const InlineAsm &Assembly)
      : AssemblyOperands(Call), Volatile(Assembly.hasSideEffects()) {}

  enum class Outcome { Done, ResultsMissing, NotUnderstood };

  Outcome run(ArrayRef<PtxStatement> Statements) {
    const bool Waits = any_of(Statements, [](const PtxStatement &S) {
      return S.Words[0] == "mbarrier" &&
             (S.has("try_wait") || S.has("test_wait"));
    });
    for (const PtxStatement &S : Statements) {
      const bool Jumps = S.Words[0] == "label" || S.Words[0] == "bra";
      if (Jumps && Waits)
        continue; // tries again until it succeeds
      if (Jumps || !guarded(S))
        if (Jumps ? any_of(Statements, mayAccessGlobal) : mayAccessGlobal(S))
          return Outcome::NotUnderstood;
    }
    return finish();
  }

private:
  Outcome finish() {
    for (size_t N = 0; N != OutputTypes.size(); ++N)
      if (!Values[N])
        return Outcome::ResultsMissing;
    Value *Result = nullptr;
    if (auto *Parts = dyn_cast<StructType>(Call.getType())) {
      Result = PoisonValue::get(Parts);
      for (unsigned N = 0; N != OutputTypes.size(); ++N)
        Result = Builder.CreateInsertValue(
            Result, converted(Values[N], OutputTypes[N], false), N);
    } else if (!OutputTypes.empty()) {
      Result = converted(Values[0], OutputTypes[0], false);
    }
    if (Result)
      Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
    return Outcome::Done;
  }

  /// Executes \p S where its guard holds. False: it is not understood.
  bool guarded(const PtxStatement &S) {
    if (S.Guard.empty())
      return statement(S);
    Value *Condition = Locals.lookup(S.Guard);
    if (!Condition || !Condition->getType()->isIntegerTy(1))
      return false;
    if (S.GuardNegated)
      Condition = Builder.CreateNot(Condition);
    const SmallVector<Value *, 8> Before = Values;
    Instruction *Inside =
        SplitBlockAndInsertIfThen(Condition, &Call, /*Unreachable=*/false);
    BasicBlock *Else = Inside->getParent()->getSinglePredecessor();
    Builder.SetInsertPoint(Inside);
    const bool Fine = statement(S);
    BasicBlock *Then = Inside->getParent();
    Builder.SetInsertPoint(&Call);
    for (size_t N = 0; N != OutputTypes.size(); ++N) {
      if (Values[N] == Before[N])
        continue;
      IRBuilder<> InThen(Inside);
      Value *New = convertedBy(InThen, Values[N], OutputTypes[N], false);
      Value *Old = Constant::getNullValue(OutputTypes[N]);
      if (Before[N]) {
        IRBuilder<> InElse(Else->getTerminator());
        Old = convertedBy(InElse, Before[N], OutputTypes[N], false);
      }
      PHINode *Either =
          PHINode::Create(OutputTypes[N], 2, "", Call.getParent()->begin());
      Either->addIncoming(New, Then);
      Either->addIncoming(Old, Else);
      Values[N] = Either;
    }
    return Fine;
  }

  bool statement(const PtxStatement &S) {
    const StringRef Root = S.Words.front(); // empty: ".reg .pred p"
    if (Root.empty() || Root == "fence" || Root == "membar")
      return true;
    switch (memoryOf(S)) {
    case PtxMemory::Load:
    case PtxMemory::Store:
    case PtxMemory::Reduction:
    case PtxMemory::Atomic:
      return memory(S);
    case PtxMemory::Copy:
      return asyncCopy(S);
    case PtxMemory::Prefetch:
      return prefetch(S);
    case PtxMemory::Matrix:
    case PtxMemory::Other:
      return false;
    case PtxMemory::None:
      break;
    }
    if (Root == "cp") // waits
      return true;
    if (Root == "mbarrier")
      return blockBarrier(S);
    if (Root == "bar" || Root == "barrier") {
      if (!S.has("warp") && !S.has("arrive"))
        Builder.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
      return S.Operands.size() < 3; // without the result of a reduction
    }
    if (Root == "setp")
      return compare(S);
    if (Root == "selp")
      return select(S);
    return arithmetic(S);
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  Type *accessType(const PtxType &T) {
    Type *One = Builder.getIntNTy(T.Bits);
    return T.Count == 1 ? One : FixedVectorType::get(One, T.Count);
  }

  LoadInst *load(Type *T, Value *From, bool PastL1) {
    LoadInst *Load = Builder.CreateAlignedLoad(T, From, Align(1), Volatile);
    if (PastL1)
      markPastL1(*Load);
    return Load;
  }

  static SmallVector<StringRef, 4> elements(StringRef Operand) {
    SmallVector<StringRef, 4> Parts;
    if (Operand.consume_front("{"))
      Operand.consume_back("}");
    Operand.split(Parts, ',');
    for (StringRef &Part : Parts)
      Part = Part.trim();
    return Parts;
  }

  bool memory(const PtxStatement &S) {
    const PtxMemory Does = memoryOf(S);
    const PtxType T = typeOf(S);
    const unsigned Space = addressSpaceOf(S);
    const bool Other = !mayAccessGlobal(S) && Space != SharedSpace;
    if (Other || T.Bits < 8 || S.Operands.size() < 2)
      return false;
    const bool Stores =
        Does == PtxMemory::Store || Does == PtxMemory::Reduction;
    Value *At = address(S.Operands[Stores ? 0 : 1], Space);
    if (!At)
      return false;
    if (Does == PtxMemory::Reduction || Does == PtxMemory::Atomic)
      return atomic(S, T, At);
    const SmallVector<StringRef, 4> Parts =
        elements(S.Operands[Stores ? 1 : 0]);
    if (Parts.size() != T.Count)
      return false;
    if (!Stores) {
      Value *Loaded = load(accessType(T), At, goesPastL1(S));
      for (unsigned N = 0; N != T.Count; ++N) {
        Value *Part =
            T.Count == 1 ? Loaded : Builder.CreateExtractElement(Loaded, N);
        if (T.Signed && T.Bits < WordBits)
          Part = Builder.CreateSExt(Part, Builder.getInt64Ty());
        if (!set(Parts[N], Part))
          return false;
      }
      return true;
    }
    Value *Whole = PoisonValue::get(accessType(T));
    for (unsigned N = 0; N != T.Count; ++N) {
      Value *Part = valueOf(Parts[N], T.Bits);
      if (!Part)
        Part = Constant::getNullValue(Builder.getIntNTy(T.Bits));
      Whole = T.Count == 1 ? Part : Builder.CreateInsertElement(Whole, Part, N);
    }
    Builder.CreateAlignedStore(Whole, At, Align(1), Volatile);
    return true;
  }

  bool atomic(const PtxStatement &S, const PtxType &T, Value *At) {
    const bool HasResult = memoryOf(S) == PtxMemory::Atomic;
    const unsigned First = HasResult ? 2 : 1; // the operand behind the address
    if (T.Count != 1 || T.Bits > WordBits || T.Bits < 16 ||
        S.Operands.size() <= First)
      return false;
    Value *Operand = valueOf(S.Operands[First], T.Bits);
    if (!Operand)
      return false;
    const Align Natural(T.Bits / 8);
    constexpr AtomicOrdering Order = AtomicOrdering::Monotonic;
    Value *Old = nullptr;
    if (S.has("cas")) {
      Value *New = S.Operands.size() > First + 1
                       ? valueOf(S.Operands[First + 1], T.Bits)
                       : nullptr;
      if (!New)
        return false;
      Old = Builder.CreateExtractValue(
          Builder.CreateAtomicCmpXchg(At, Operand, New, Natural, Order, Order),
          0);
    } else {
      using Rmw = AtomicRMWInst;
      const auto Op = [&]() -> std::optional<Rmw::BinOp> {
        for (StringRef Word : S.Words) {
          const auto Known = StringSwitch<std::optional<Rmw::BinOp>>(Word)
                                 .Case("add", T.Real ? Rmw::FAdd : Rmw::Add)
                                 .Case("and", Rmw::And)
                                 .Case("or", Rmw::Or)
                                 .Case("xor", Rmw::Xor)
                                 .Case("exch", Rmw::Xchg)
                                 .Case("min", T.Signed ? Rmw::Min : Rmw::UMin)
                                 .Case("max", T.Signed ? Rmw::Max : Rmw::UMax)
                                 .Case("inc", Rmw::UIncWrap)
                                 .Case("dec", Rmw::UDecWrap)
                                 .Default(std::nullopt);
          if (Known)
            return Known;
        }
        return std::nullopt;
      }();
      if (!Op)
        return false;
      if (T.Real && *Op == Rmw::FAdd) {
        Type *Number = T.Bits == 32   ? Builder.getFloatTy()
                       : T.Bits == 64 ? Builder.getDoubleTy()
                                      : nullptr;
        if (!Number)
          return false;
        Operand = Builder.CreateBitCast(Operand, Number);
      }
      Old = Builder.CreateAtomicRMW(*Op, At, Operand, Natural, Order);
    }
    return !HasResult || set(S.Operands[0], Old);
  }

  /// cp.async.cg.shared.global [to], [from], 16{, bytes to read}
  bool asyncCopy(const PtxStatement &S) {
    const std::optional<PtxCopy> Copy = copyOf(S);
    if (!Copy)
      return false;
    Value *To = address(Copy->To, SharedSpace);
    Value *From = address(Copy->From, GenericSpace);
    auto *Size = dyn_cast_or_null<ConstantInt>(valueOf(Copy->Bytes));
    if (!To || !From || !Size ||
        !is_contained({4u, 8u, 16u}, Size->getZExtValue()))
      return false;
    const auto Bytes = unsigned(Size->getZExtValue());
    Type *T = Bytes == 4   ? cast<Type>(Builder.getInt32Ty())
              : Bytes == 8 ? cast<Type>(Builder.getInt64Ty())
                           : FixedVectorType::get(Builder.getInt32Ty(), 4);
    Value *Reads = nullptr; // whether anything is read
    if (!Copy->Reads.empty()) {
      Value *Given = valueOf(Copy->Reads);
      if (!Given)
        return false;
      Reads = Given->getType()->isIntegerTy(1)
                  ? Builder.CreateNot(Given) // "ignore the source"
                  : Builder.CreateIsNotNull(Given);
    }
    Value *Loaded = nullptr;
    if (!Reads || isa<Constant>(Reads)) {
      if (Reads && cast<Constant>(Reads)->isNullValue())
        Loaded = Constant::getNullValue(T);
      else
        Loaded = load(T, From, Copy->PastL1);
    } else {
      Instruction *Inside = SplitBlockAndInsertIfThen(
          Reads, Builder.GetInsertPoint(), /*Unreachable=*/false);
      BasicBlock *Then = Inside->getParent();
      BasicBlock *Else = Then->getSinglePredecessor();
      Instruction *After = &*Builder.GetInsertPoint();
      Builder.SetInsertPoint(Inside);
      Value *Read = load(T, From, Copy->PastL1);
      Builder.SetInsertPoint(After);
      PHINode *Either = PHINode::Create(T, 2, "", After->getParent()->begin());
      Either->addIncoming(Read, Then);
      Either->addIncoming(Constant::getNullValue(T), Else);
      Loaded = Either;
    }
    Builder.CreateAlignedStore(Loaded, To, Align(1), Volatile);
    return true;
  }

  /// What it brings into a cache is traffic like a load's.
  bool prefetch(const PtxStatement &S) {
    if (!mayAccessGlobal(S))
      return true;
    if (S.has("tensormap") || S.Operands.empty())
      return false;
    Value *At = address(S.Operands[0], GenericSpace);
    if (!At)
      return false;
    LoadInst *Load = Builder.CreateAlignedLoad(Builder.getInt8Ty(), At,
                                               Align(1), /*isVolatile=*/true);
    if (!S.has("L1"))
      markPastL1(*Load);
    return true;
  }

  /// Who waits on a barrier object waits for other threads of the block, and is
  /// let go in the end.
  bool blockBarrier(const PtxStatement &S) {
    if (S.has("try_wait") || S.has("test_wait")) {
      if (!std::exchange(HasWaited, true))
        Builder.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
      return !S.Operands.empty() && set(S.Operands[0], Builder.getTrue());
    }
    if (!S.Operands.empty() && !S.Operands[0].starts_with("["))
      return set(S.Operands[0], Builder.getInt64(0));
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Numbers
  //===--------------------------------------------------------------------===//

  /// setp.ne.b32 p, a, b
  bool compare(const PtxStatement &S) {
    const PtxType T = typeOf(S);
    if (S.Words.size() != 3 || S.Operands.size() != 3 || T.Real || T.Bits < 8)
      return false;
    Value *A = valueOf(S.Operands[1], T.Bits, T.Signed);
    Value *B = valueOf(S.Operands[2], T.Bits, T.Signed);
    using P = CmpInst::Predicate;
    const auto Which = StringSwitch<std::optional<P>>(S.Words[1])
                           .Case("eq", P::ICMP_EQ)
                           .Case("ne", P::ICMP_NE)
                           .Case("lt", T.Signed ? P::ICMP_SLT : P::ICMP_ULT)
                           .Case("le", T.Signed ? P::ICMP_SLE : P::ICMP_ULE)
                           .Case("gt", T.Signed ? P::ICMP_SGT : P::ICMP_UGT)
                           .Case("ge", T.Signed ? P::ICMP_SGE : P::ICMP_UGE)
                           .Default(std::nullopt);
    return A && B && Which &&
           set(S.Operands[0], Builder.CreateICmp(*Which, A, B));
  }

  /// selp.b32 d, a, b, p
  bool select(const PtxStatement &S) {
    const PtxType T = typeOf(S);
    if (S.Operands.size() != 4 || T.Bits < 8)
      return false;
    Value *A = valueOf(S.Operands[1], T.Bits);
    Value *B = valueOf(S.Operands[2], T.Bits);
    Value *P = valueOf(S.Operands[3]);
    return A && B && P && P->getType()->isIntegerTy(1) &&
           set(S.Operands[0], Builder.CreateSelect(P, A, B));
  }

  bool arithmetic(const PtxStatement &S) {
    const StringRef Root = S.Words.front();
    const PtxType T = typeOf(S);
    const size_t Count = S.Operands.size();
    if (Count < 2)
      return false;
    if (Root == "mov" || Root == "cvta") {
      Value *V = valueOf(S.Operands[1]);
      return V && Count == 2 && set(S.Operands[0], V);
    }
    if (Root == "cvt" && Count == 2 && S.Words.size() == 3) {
      // cvt.u32.u64: a pointer stays one.
      Value *V = valueOf(S.Operands[1]);
      if (!V || T.Real || StringRef("fb").contains(S.Words[1].front()))
        return false;
      if (V->getType()->isPointerTy())
        return set(S.Operands[0], V);
      unsigned To = 0;
      if (S.Words[1].drop_front().getAsInteger(10, To))
        return false;
      V = converted(V, Builder.getIntNTy(T.Bits), false);
      return set(S.Operands[0], converted(V, Builder.getIntNTy(To), T.Signed));
    }
    if (T.Real || T.Bits < 16 || Count < 3)
      return false;
    Value *A = valueOf(S.Operands[1], T.Bits, T.Signed);
    Value *B = valueOf(S.Operands[2], T.Bits, T.Signed);
    if (!A || !B)
      return false;
    if (S.Words.size() == 3 && S.has("lo") &&
        (Root == "mul" || Root == "mad")) {
      Value *Product = Builder.CreateMul(A, B);
      if (Root == "mad") {
        Value *C = Count == 4 ? valueOf(S.Operands[3], T.Bits) : nullptr;
        if (!C)
          return false;
        Product = Builder.CreateAdd(Product, C);
      }
      return set(S.Operands[0], Product);
    }
    if (S.Words.size() != 2 || Count != 3)
      return false;
    const auto Op = StringSwitch<std::optional<Instruction::BinaryOps>>(Root)
                        .Case("add", Instruction::Add)
                        .Case("sub", Instruction::Sub)
                        .Case("and", Instruction::And)
                        .Case("or", Instruction::Or)
                        .Case("xor", Instruction::Xor)
                        .Default(std::nullopt);
    return Op && set(S.Operands[0], Builder.CreateBinOp(*Op, A, B));
  }
};

} // namespace

void markExpanded(CallInst &Call) {
  Call.setMetadata(ExpandedMark, MDNode::get(Call.getContext(), {}));
}

bool isExpanded(const CallInst &Call) { return Call.hasMetadata(ExpandedMark); }

void expandAssembly(CallInst &Call) {
  const auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  const std::string Text = withoutComments(Assembly->getAsmString());
  const SmallVector<PtxStatement, 4> Statements = ptxStatements(Text);
  // Barriers and special registers are left to the instrumentation.
  const bool Wanted = any_of(Statements, [](const PtxStatement &S) {
    const PtxMemory Does = memoryOf(S);
    return mayAccessGlobal(S) || Does == PtxMemory::Load ||
           Does == PtxMemory::Store || Does == PtxMemory::Reduction ||
           Does == PtxMemory::Atomic || S.Words[0] == "mbarrier" ||
           S.Words[0] == "cvta" || any_of(S.Operands, isEnvironment);
  });
  Expander Work(Call, *Assembly);
  if (Wanted && Work.bind(*Assembly) &&
      Work.run(Statements) == Expander::Outcome::ResultsMissing)
    markExpanded(Call);
}

} // namespace warpwise::lowering
