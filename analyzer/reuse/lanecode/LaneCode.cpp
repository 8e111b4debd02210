//===- LaneCode.cpp - A slice as a function that writes a stream ----------===//

#include "analyzer/reuse/lanecode/LaneCode.h"

#include "analyzer/execution/HostFunctions.h"
#include "analyzer/execution/Names.h"
#include "analyzer/lowering/BlockOrder.h"
#include "analyzer/lowering/PassRunner.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace warpwise::reuse {
namespace {

constexpr const char *ContextName = "warpwise.context";

StringRef calleeName(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : "";
}

/// Gives out positions and turns calls into stores to the stream.
class StreamWriter {
  Function &F;
  const execution::Numbering &Numbers;
  LaneCode &Into;
  GlobalVariable *Context = nullptr;
  AllocaInst *Next = nullptr, *Limit = nullptr;
  /// What is read once is read before this.
  Instruction *EntryEnd = nullptr;

public:
  StreamWriter(Function &F, const execution::Numbering &Numbers, LaneCode &Into)
      : F(F), Numbers(Numbers), Into(Into) {}

  void run() {
    std::vector<BasicBlock *> Headers = number();
    openStream();
    SmallVector<CallInst *, 32> Calls;
    SmallVector<ReturnInst *, 4> Ends;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        Calls.push_back(Call);
      else if (auto *End = dyn_cast<ReturnInst>(&I))
        Ends.push_back(End);
    for (CallInst *Call : Calls)
      lower(*Call);
    for (BasicBlock *Header : Headers)
      checkLimit(*Header);
    for (ReturnInst *End : Ends)
      closeStream(*End);
  }

private:
  uint32_t newPosition(StreamPoint P) {
    Into.Points.push_back(std::move(P));
    return uint32_t(Into.Points.size()) - 1;
  }

  /// The headers of the loops.
  std::vector<BasicBlock *> number() {
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    std::vector<BasicBlock *> Headers;
    DenseMap<const Loop *, int32_t> LoopNumbers;
    Into.Points.assign(1, {}); // WitnessPosition
    for (BasicBlock *Block : lowering::convergentOrder(F, Loops)) {
      const Loop *L = Loops.getLoopFor(Block);
      if (L && L->getHeader() == Block) {
        const Loop *Around = L->getParentLoop();
        const int32_t Parent = Around ? LoopNumbers[Around] : -1;
        LoopNumbers[L] = int32_t(Into.Loops.size());
        const uint32_t Position =
            newPosition({.What = StreamPoint::Kind::LoopRound,
                         .Loop = LoopNumbers[L],
                         .Where = {}});
        Into.Loops.push_back({Parent, Position});
        IRBuilder<> Builder(Block, Block->getFirstInsertionPt());
        insertEvent(Builder, Position);
        Headers.push_back(Block);
      }
      for (Instruction &I : *Block)
        if (calleeName(I) == EventCall)
          renumber(cast<CallInst>(I), L ? LoopNumbers[L] : -1);
    }
    return Headers;
  }

  /// Loop rounds have their position at once; 0 is a witness'.
  void insertEvent(IRBuilder<> &Builder, uint32_t Position) {
    CallInst *Event =
        Builder.CreateCall(F.getParent()->getOrInsertFunction(
                               EventCall, Builder.getVoidTy(),
                               Builder.getInt32Ty(), Builder.getInt64Ty()),
                           {Builder.getInt32(Position), Builder.getInt64(0)});
    Event->setMetadata("numbered", MDNode::get(F.getContext(), {}));
  }

  void renumber(CallInst &Event, int32_t Loop) {
    if (Event.hasMetadata("numbered"))
      return;
    const uint64_t Old =
        cast<ConstantInt>(Event.getArgOperand(0))->getZExtValue();
    if (Old == WitnessPosition)
      return;
    const execution::Point &P = Numbers.Points[Old];
    const bool Barrier = P.What == execution::Point::Kind::Barrier;
    Event.setArgOperand(
        0, ConstantInt::get(
               Event.getArgOperand(0)->getType(),
               newPosition({.What = Barrier ? StreamPoint::Kind::Barrier
                                            : StreamPoint::Kind::Access,
                            .Op = P.Op,
                            .Private = P.Private,
                            .PastL1 = P.PastL1,
                            .Bytes = P.Bytes,
                            .Loop = Loop,
                            .Where = P.Where})));
  }

  Value *field(IRBuilder<> &Builder, size_t Offset) {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Context,
                                              Offset);
  }

  void openStream() {
    Module &M = *F.getParent();
    IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
    Type *Bytes = ArrayType::get(Builder.getInt8Ty(), sizeof(ThreadContext));
    Context = new GlobalVariable(M, Bytes, /*isConstant=*/false,
                                 GlobalValue::ExternalLinkage,
                                 Constant::getNullValue(Bytes), ContextName);
    Context->setAlignment(Align(64));
    Next = Builder.CreateAlloca(Builder.getPtrTy());
    Limit = Builder.CreateAlloca(Builder.getPtrTy());
    EntryEnd = readBuffer(Builder);
  }

  /// Where the stream goes on.
  Instruction *readBuffer(IRBuilder<> &Builder) {
    Builder.CreateStore(load(Builder, offsetof(ThreadContext, Next)), Next);
    return Builder.CreateStore(load(Builder, offsetof(ThreadContext, Limit)),
                               Limit);
  }

  Value *load(IRBuilder<> &Builder, size_t Offset) {
    return Builder.CreateLoad(Builder.getPtrTy(), field(Builder, Offset));
  }

  void lower(CallInst &Call) {
    const StringRef Name = calleeName(Call);
    IRBuilder<> Builder(&Call);
    if (Name == EventCall) {
      append(Builder, Call.getArgOperand(0), Call.getArgOperand(1));
    } else if (Name == RegisterCall) {
      const uint64_t Number =
          cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue();
      IRBuilder<> Entry(EntryEnd);
      Call.replaceAllUsesWith(Entry.CreateLoad(
          Entry.getInt32Ty(), field(Entry, offsetof(ThreadContext, Registers) +
                                               Number * sizeof(uint32_t))));
    } else if (Name == InsideCall) {
      Call.replaceAllUsesWith(isInside(Builder, Call));
    } else {
      return;
    }
    Call.eraseFromParent();
  }

  void append(IRBuilder<> &Builder, Value *Position, Value *Payload) {
    Value *At = Builder.CreateLoad(Builder.getPtrTy(), Next);
    Value *Entry =
        Builder.CreateOr(Builder.CreateShl(Payload, PositionBits),
                         Builder.CreateZExt(Position, Builder.getInt64Ty()));
    Builder.CreateStore(Entry, At);
    Builder.CreateStore(
        Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), At, 1), Next);
  }

  Value *isInside(IRBuilder<> &Builder, CallInst &Call) {
    Type *Word = Builder.getInt64Ty();
    Value *Begin = Builder.CreatePtrToInt(Call.getArgOperand(1), Word);
    Value *Size = Call.getArgOperand(2);
    if (isa<ConstantPointerNull>(Call.getArgOperand(1))) {
      IRBuilder<> Entry(EntryEnd);
      Begin = Entry.CreateLoad(
          Word, field(Entry, offsetof(ThreadContext, BuffersBegin)));
      Size = Entry.CreateLoad(
          Word, field(Entry, offsetof(ThreadContext, BuffersBytes)));
    }
    Value *Offset = Builder.CreateSub(
        Builder.CreatePtrToInt(Call.getArgOperand(0), Word), Begin);
    Value *End = Builder.CreateAdd(Offset, Call.getArgOperand(3));
    return Builder.CreateAnd(Builder.CreateICmpULE(End, Size),
                             Builder.CreateICmpULT(Offset, Size));
  }

  void checkLimit(BasicBlock &Header) {
    BasicBlock *Body = SplitBlock(&Header, Header.getFirstNonPHI());
    LLVMContext &C = F.getContext();
    BasicBlock *Full = BasicBlock::Create(C, "full", &F);
    BasicBlock *Stop = BasicBlock::Create(C, "stop", &F);
    BasicBlock *End = BasicBlock::Create(C, "end", &F);
    Header.getTerminator()->eraseFromParent();
    IRBuilder<> Builder(&Header);
    Value *IsFull =
        Builder.CreateICmpUGE(Builder.CreateLoad(Builder.getPtrTy(), Next),
                              Builder.CreateLoad(Builder.getPtrTy(), Limit));
    Builder.CreateCondBr(IsFull, Full, Body,
                         MDBuilder(C).createBranchWeights(1, 1 << 20));

    Builder.SetInsertPoint(Full);
    Builder.CreateStore(Builder.CreateLoad(Builder.getPtrTy(), Next),
                        field(Builder, offsetof(ThreadContext, Next)));
    Value *MaySwitch = Builder.CreateLoad(
        Builder.getInt32Ty(),
        field(Builder, offsetof(ThreadContext, HasStackOfItsOwn)));
    Builder.CreateCondBr(Builder.CreateIsNull(MaySwitch), End, Stop);

    Builder.SetInsertPoint(Stop);
    execution::HostFunctions(*F.getParent())
        .call(Builder, "warpwise.switch_stack", Builder.getVoidTy(),
              {field(Builder, offsetof(ThreadContext, LaneStack)),
               load(Builder, offsetof(ThreadContext, HostStack))})
        ->setDoesNotThrow();
    readBuffer(Builder);
    Builder.CreateBr(Body);

    Builder.SetInsertPoint(End);
    Builder.CreateStore(Builder.getInt32(1),
                        field(Builder, offsetof(ThreadContext, Stopped)));
    Builder.CreateRetVoid();
  }

  void closeStream(ReturnInst &End) {
    IRBuilder<> Builder(&End);
    Builder.CreateStore(Builder.CreateLoad(Builder.getPtrTy(), Next),
                        field(Builder, offsetof(ThreadContext, Next)));
  }
};

void optimiseForHost(Function &F) {
  lowering::PassRunner().run(
      F, "mem2reg,instcombine<no-verify-fixpoint>,early-cse<memssa>,"
         "loop-mssa(licm<allowspeculation>),simplifycfg,instcombine<no-"
         "verify-fixpoint>,adce");
}

} // namespace

Expected<orc::ThreadSafeModule> moveAway(const Module &M) {
  SmallVector<char, 0> Bits;
  raw_svector_ostream Stream(Bits);
  WriteBitcodeToFile(M, Stream);
  auto Context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> Copy = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bits.data(), Bits.size()), "slice"), *Context);
  if (!Copy)
    return Copy.takeError();
  return orc::ThreadSafeModule(std::move(*Copy), std::move(Context));
}

Expected<LaneCode> LaneCode::compile(AddressSlice Slice, StringRef Kernel) {
  LaneCode Made;
  Module &M = *Slice.M;
  Function &F = *M.getFunction(execution::symbolOf(Kernel));
  F.setMemoryEffects(MemoryEffects::unknown());
  for (const Argument &Formal : F.args())
    if (!Formal.use_empty())
      Made.ArgumentsUsed.insert(Formal.getArgNo());
  Made.IsAffine = addWitnesses(F);
  StreamWriter(F, Slice.Code.Numbers, Made).run();
  if (Made.Points.size() >> PositionBits)
    return createStringError(inconvertibleErrorCode(),
                             "kernel '%s' has too many accesses",
                             Kernel.str().c_str());
  optimiseForHost(F);

  Expected<execution::Jit> Compiler =
      execution::Jit::create(CodeGenOptLevel::Default);
  if (!Compiler)
    return Compiler.takeError();
  Compiler->retarget(M);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return createStringError(inconvertibleErrorCode(),
                             "the slice of kernel '%s' is broken: %s",
                             Kernel.str().c_str(), Broken.c_str());
  Expected<orc::ThreadSafeModule> Moved = moveAway(M);
  if (!Moved)
    return Moved.takeError();
  if (Error Problem = Compiler->add(std::move(*Moved)))
    return createStringError(inconvertibleErrorCode(), "kernel '%s': %s",
                             Kernel.str().c_str(),
                             toString(std::move(Problem)).c_str());
  Expected<void *> Run = Compiler->find(Slice.Code.Drivers.at(Kernel.str()));
  if (!Run)
    return Run.takeError();
  Made.Run = reinterpret_cast<Entry>(*Run);
  Expected<void *> Context = Compiler->find(ContextName);
  if (!Context)
    return Context.takeError();
  Made.Context = static_cast<ThreadContext *>(*Context);
  for (const execution::HostVariable &V : Slice.Code.Variables) {
    Expected<void *> Address = Compiler->find(V.Symbol);
    if (!Address)
      return Address.takeError();
    Made.Variables.emplace_back(static_cast<char *>(*Address), V);
  }
  Made.Compiler = std::move(*Compiler);
  return std::move(Made);
}

} // namespace warpwise::reuse
