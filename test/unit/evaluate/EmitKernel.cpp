//===- EmitKernel.cpp - A generated kernel as LLVM IR ---------------------===//

#include "test/unit/evaluate/EmitKernel.h"

#include "test/unit/evaluate/EmitExpression.h"

#include "llvm/IR/Module.h"

#include <string>

using namespace llvm;

namespace warpwise::test {
namespace {

using access::Operation;
using access::Space;

constexpr unsigned SharedSpace = 3, ConstantSpace = 4;
/// No index that stays in bounds goes beyond this many bytes.
constexpr uint64_t ArrayBytes = uint64_t(1) << 40;

class KernelEmitter {
  const GeneratedKernel &K;
  Module &M;
  IRBuilder<> Builder;
  ExpressionEmitter Expressions{Builder};
  EmittedKernel Result;
  std::vector<Value *> Objects;         ///< by access
  std::vector<llvm::Argument *> Passed; ///< by argument of the kernel
  BasicBlock *Exit = nullptr;
  /// Where Break and Continue go, and from where breaks have come.
  struct LoopBlocks {
    BasicBlock *Latch, *End;
    std::vector<BasicBlock *> Breaks;
  };
  std::vector<LoopBlocks> Loops;

public:
  KernelEmitter(const GeneratedKernel &K, Module &M)
      : K(K), M(M), Builder(M.getContext()) {}

  EmittedKernel emit() {
    declare();
    BasicBlock *Entry = newBlock("entry");
    Exit = newBlock("exit");
    Builder.SetInsertPoint(Exit);
    Builder.CreateRetVoid();
    Builder.SetInsertPoint(Entry);
    fetchArguments();
    emitList(K.Body);
    Builder.CreateBr(Exit);
    return std::move(Result);
  }

private:
  BasicBlock *newBlock(const char *Name) {
    return BasicBlock::Create(M.getContext(), Name, Result.Function);
  }

  //===--------------------------------------------------------------------===//
  // Objects
  //===--------------------------------------------------------------------===//

  void declare() {
    SmallVector<Type *, 16> Parameters;
    for (size_t N = 0; N != K.ArgumentBits.size(); ++N)
      Parameters.push_back(
          passing(N) == Passing::Value
              ? static_cast<Type *>(Builder.getIntNTy(K.ArgumentBits[N]))
              : Builder.getPtrTy());
    for (const MemoryAccess &A : K.Accesses)
      if (A.Memory == Space::Global)
        Parameters.push_back(Builder.getPtrTy());
    Parameters.push_back(Builder.getPtrTy()); // numbers that threads load
    Result.Function = Function::Create(
        FunctionType::get(Builder.getVoidTy(), Parameters, false),
        Function::ExternalLinkage, "kernel" + std::to_string(K.Seed), M);
    Metadata *Mark[] = {ConstantAsMetadata::get(Result.Function),
                        MDString::get(M.getContext(), "kernel"),
                        ConstantAsMetadata::get(Builder.getInt32(1))};
    M.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(M.getContext(), Mark));

    auto *Argument = Result.Function->arg_begin();
    for (size_t N = 0; N != K.ArgumentBits.size(); ++N)
      Passed.push_back(Argument++);
    for (const MemoryAccess &A : K.Accesses)
      Objects.push_back(A.Memory == Space::Global
                            ? static_cast<Value *>(Argument++)
                            : declareArray(A));
    Expressions.Data = Argument;
    Expressions.Variables.resize(K.VariableBits.size());
    for (unsigned N = 0; N != Objects.size(); ++N)
      Result.AccessOfObject[Objects[N]] = N;
  }

  Passing passing(size_t Number) const {
    return K.ArgumentPassing.empty() ? Passing::Value
                                     : K.ArgumentPassing[Number];
  }

  /// Fetches the arguments that are not passed as themselves.
  void fetchArguments() {
    for (size_t N = 0; N != Passed.size(); ++N) {
      IntegerType *Type = Builder.getIntNTy(K.ArgumentBits[N]);
      Value *V = Passed[N];
      switch (passing(N)) {
      case Passing::Value:
        break;
      case Passing::Loaded:
        V = Builder.CreateLoad(Type, V);
        break;
      case Passing::LoadedReal:
        V = Builder.CreateFPToSI(Builder.CreateLoad(Builder.getFloatTy(), V),
                                 Type);
        break;
      case Passing::Member: {
        StructType *Pair = StructType::get(Type, Type);
        Passed[N]->addAttr(Attribute::getWithByValType(M.getContext(), Pair));
        V = Builder.CreateLoad(Type, Builder.CreateStructGEP(Pair, V, 1));
        break;
      }
      }
      Expressions.Arguments.push_back(V);
    }
  }

  /// The member of a by-value argument that has the type \p T and that nothing
  /// reads: half of the kernels use it as the variable that it is.
  Value *memberFor(Type *T) {
    for (size_t N = 0; N != Passed.size() && K.Seed % 2; ++N)
      if (passing(N) == Passing::Member &&
          T == Builder.getIntNTy(K.ArgumentBits[N]))
        return Passed[N];
    return nullptr;
  }

  Value *declareArray(const MemoryAccess &A) {
    const bool Shared = A.Memory == Space::Shared;
    auto *Array =
        new GlobalVariable(M, ArrayType::get(Builder.getInt8Ty(), ArrayBytes),
                           !Shared, GlobalValue::ExternalLinkage, nullptr,
                           "object" + std::to_string(K.Seed) + "." +
                               std::to_string(Objects.size()),
                           nullptr, GlobalValue::NotThreadLocal,
                           Shared ? SharedSpace : ConstantSpace);
    Array->setAlignment(Align(16));
    return Array;
  }

  //===--------------------------------------------------------------------===//
  // Accesses
  //===--------------------------------------------------------------------===//

  Type *typeOf(const MemoryAccess &A, unsigned Number) {
    Type *Int = Builder.getInt32Ty(), *Float = Builder.getFloatTy();
    const bool Floating = Number % 3 == 1 && A.Op != Operation::Atomic;
    switch (A.Bytes) {
    case 1:
      return Builder.getInt8Ty();
    case 2:
      return Floating ? Builder.getHalfTy() : Builder.getInt16Ty();
    case 4:
      return Floating ? Float : Int;
    case 8:
      if (A.Op != Operation::Atomic && Number % 3 == 2)
        return FixedVectorType::get(Int, 2);
      return Floating ? Builder.getDoubleTy() : Builder.getInt64Ty();
    default:
      return FixedVectorType::get(Floating ? Float : Int, 4);
    }
  }

  Value *emitAddress(const MemoryAccess &A, unsigned Number, Type *T) {
    Value *Base = Objects[Number];
    if (A.Memory != Space::Global && A.ThroughGeneric)
      Base = Builder.CreateAddrSpaceCast(Base, Builder.getPtrTy());
    Value *Row = A.Row ? Expressions.emit(*A.Row) : nullptr;
    Value *Index = Expressions.emit(*A.Index);
    if (A.ThroughBytes)
      return emitByteAddress(A, Base, Row, Index);
    Type *Element = T;
    SmallVector<Value *, 4> Indices;
    if (A.Stride != A.Bytes) {
      Type *Byte = Builder.getInt8Ty();
      Element =
          StructType::get(M.getContext(),
                          {ArrayType::get(Byte, A.Field), T,
                           ArrayType::get(Byte, A.Stride - A.Field - A.Bytes)},
                          /*isPacked=*/true);
    }
    if (Row)
      Indices = {Row, Index};
    else
      Indices = {Index};
    if (Element != T)
      Indices.push_back(Builder.getInt32(1));
    Type *Outer = Row ? ArrayType::get(Element, A.RowElements) : Element;
    return Builder.CreateGEP(Outer, Base, Indices, "", A.StaysInBounds);
  }

  Value *emitByteAddress(const MemoryAccess &A, Value *Base, Value *Row,
                         Value *Index) {
    Type *Wide = Builder.getInt64Ty();
    Value *Offset = Builder.CreateMul(Builder.CreateSExtOrTrunc(Index, Wide),
                                      Builder.getInt64(A.Stride));
    if (Row)
      Offset = Builder.CreateAdd(
          Offset,
          Builder.CreateMul(Builder.CreateSExtOrTrunc(Row, Wide),
                            Builder.getInt64(A.RowElements * A.Stride)));
    Offset = Builder.CreateAdd(Offset, Builder.getInt64(A.Field));
    return Builder.CreateGEP(Builder.getInt8Ty(), Base, Offset);
  }

  void emitAccess(unsigned Number) {
    const MemoryAccess &A = K.Accesses[Number];
    Type *T = typeOf(A, Number);
    Value *Address = emitAddress(A, Number, T);
    switch (A.Op) {
    case Operation::Load: {
      LoadInst *Load = Builder.CreateAlignedLoad(T, Address, Align(A.Bytes));
      Load->setVolatile(A.Volatile);
      consume(Load);
      break;
    }
    case Operation::Store:
      Builder
          .CreateAlignedStore(Constant::getNullValue(T), Address,
                              Align(A.Bytes))
          ->setVolatile(A.Volatile);
      break;
    case Operation::Atomic: {
      Value *Changes = Expressions.emit({Op::TidX});
      Value *Added = A.AddsConstant ? ConstantInt::get(T, 3)
                                    : Builder.CreateZExtOrTrunc(Changes, T);
      // Exchanges, as nvcc never joins those of a warp.
      Builder.CreateAtomicRMW(
          A.AddsConstant ? AtomicRMWInst::Add : AtomicRMWInst::Xchg, Address,
          Added, Align(A.Bytes), AtomicOrdering::SequentiallyConsistent);
      break;
    }
    }
  }

  /// Keeps a loaded value alive without touching the memory that is looked at.
  void consume(Value *Loaded) {
    Type *T = Loaded->getType();
    std::string Name = "consume.";
    raw_string_ostream(Name) << *T;
    FunctionCallee Consumer =
        M.getOrInsertFunction(Name, Builder.getVoidTy(), T);
    auto *F = cast<Function>(Consumer.getCallee());
    F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    F->setDoesNotThrow();
    F->setWillReturn();
    Builder.CreateCall(Consumer, Loaded);
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  void emitList(const std::vector<Statement> &List) {
    for (const Statement &S : List)
      switch (S.What) {
      case Statement::Kind::Access:
        emitAccess(S.Access);
        break;
      case Statement::Kind::If:
        emitIf(S);
        break;
      case Statement::Kind::Loop:
        emitLoop(S);
        break;
      case Statement::Kind::Break:
        emitJump(*S.Condition, Loops.back().End, /*IsBreak=*/true);
        break;
      case Statement::Kind::Continue:
        emitJump(*S.Condition, Loops.back().Latch, /*IsBreak=*/false);
        break;
      case Statement::Kind::Return:
        emitJump(*S.Condition, Exit, /*IsBreak=*/false);
        break;
      }
  }

  /// The condition as blocks where the source says && or ||.
  void emitBranch(const Expression &E, BasicBlock *True, BasicBlock *False) {
    if (E.Number && (E.What == Op::BothOf || E.What == Op::EitherOf)) {
      BasicBlock *Second = newBlock("second");
      if (E.What == Op::BothOf)
        emitBranch(*E.A, Second, False);
      else
        emitBranch(*E.A, True, Second);
      Builder.SetInsertPoint(Second);
      return emitBranch(*E.B, True, False);
    }
    Builder.CreateCondBr(Expressions.emit(E), True, False);
  }

  void emitJump(const Expression &Condition, BasicBlock *Target, bool IsBreak) {
    // A block of its own, since the end of a loop may have phis.
    BasicBlock *Jump = newBlock("jump"), *Next = newBlock("next");
    emitBranch(Condition, Jump, Next);
    Builder.SetInsertPoint(Jump);
    Builder.CreateBr(Target);
    if (IsBreak)
      Loops.back().Breaks.push_back(Jump);
    Builder.SetInsertPoint(Next);
  }

  void emitIf(const Statement &S) {
    BasicBlock *Then = newBlock("then"), *Else = newBlock("else");
    BasicBlock *Join = newBlock("join");
    emitBranch(*S.Condition, Then, Else);
    auto emitArm = [&](BasicBlock *At, const std::vector<Statement> &List,
                       const Expression *Merged) {
      Builder.SetInsertPoint(At);
      emitList(List);
      Value *Given = Merged ? Expressions.emit(*Merged) : nullptr;
      if (Value *Room = Given ? memberFor(Given->getType()) : nullptr)
        Builder.CreateStore(Given, Room, /*isVolatile=*/true);
      BasicBlock *End = Builder.GetInsertBlock();
      Builder.CreateBr(Join);
      return std::pair(Given, End);
    };
    const auto [ThenValue, ThenEnd] = emitArm(Then, S.Then, S.ThenValue);
    const auto [ElseValue, ElseEnd] = emitArm(Else, S.Else, S.ElseValue);
    Builder.SetInsertPoint(Join);
    if (S.Merged < 0)
      return;
    if (Value *Room = memberFor(ThenValue->getType())) {
      Expressions.Variables[size_t(S.Merged)] =
          Builder.CreateLoad(ThenValue->getType(), Room);
      return;
    }
    PHINode *Merged = Builder.CreatePHI(ThenValue->getType(), 2);
    Merged->addIncoming(ThenValue, ThenEnd);
    Merged->addIncoming(ElseValue, ElseEnd);
    Expressions.Variables[size_t(S.Merged)] = Merged;
  }

  void emitLoop(const Statement &S) {
    std::vector<Value *> First;
    for (const Statement::Variable &V : S.Variables)
      First.push_back(Expressions.emit(*V.First));
    BasicBlock *Before = Builder.GetInsertBlock();
    BasicBlock *Header = newBlock("loop"), *Latch = newBlock("latch");
    BasicBlock *End = newBlock("loop.end");
    Builder.CreateBr(Header);
    Builder.SetInsertPoint(Header);
    std::vector<PHINode *> Phis;
    for (size_t N = 0; N != First.size(); ++N) {
      Phis.push_back(Builder.CreatePHI(First[N]->getType(), 2));
      Phis[N]->addIncoming(First[N], Before);
      Expressions.Variables[size_t(S.Variables[N].Number)] = Phis[N];
    }
    if (!S.TestsAtEnd) {
      BasicBlock *Body = newBlock("body");
      emitBranch(*S.Condition, Body, End);
      Builder.SetInsertPoint(Body);
    }
    Loops.push_back({Latch, End, {}});
    emitList(S.Then);
    Builder.CreateBr(Latch);
    Builder.SetInsertPoint(Latch);
    std::vector<Value *> Next;
    for (const Statement::Variable &V : S.Variables)
      Next.push_back(Expressions.emit(*V.Next));
    for (size_t N = 0; N != Next.size(); ++N)
      Phis[N]->addIncoming(Next[N], Latch);
    if (S.TestsAtEnd)
      emitEndTest(S, Next, Phis);
    else
      Builder.CreateBr(Header);
    Loops.pop_back();
    Builder.SetInsertPoint(End);
  }

  /// do { ... } while (condition): after it, the variables hold the next values
  /// unless a break has left it before.
  void emitEndTest(const Statement &S, const std::vector<Value *> &Next,
                   const std::vector<PHINode *> &Phis) {
    for (size_t N = 0; N != Next.size(); ++N)
      Expressions.Variables[size_t(S.Variables[N].Number)] = Next[N];
    const LoopBlocks &Blocks = Loops.back();
    Builder.CreateCondBr(Expressions.emit(*S.Condition), Phis[0]->getParent(),
                         Blocks.End);
    Builder.SetInsertPoint(Blocks.End);
    for (size_t N = 0; N != Next.size(); ++N) {
      PHINode *Last = Builder.CreatePHI(Next[N]->getType(), 2);
      Last->addIncoming(Next[N], Blocks.Latch);
      for (BasicBlock *Break : Blocks.Breaks)
        Last->addIncoming(Phis[N], Break);
      Expressions.Variables[size_t(S.Variables[N].Number)] = Last;
    }
  }
};

} // namespace

EmittedKernel emitKernel(const GeneratedKernel &K, Module &M) {
  return KernelEmitter(K, M).emit();
}

} // namespace warpwise::test
