//===- Instrument.cpp - Makes kernels run and report on the host ----------===//

#include "analyzer/execution/Instrument.h"

#include "analyzer/execution/Admission.h"
#include "analyzer/execution/DeviceCalls.h"
#include "analyzer/execution/Names.h"

#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/CallAccesses.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/MemoryInstructions.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace warpwise::execution {
namespace {

using access::Operation;

/// Longer copies are made, but not reported.
constexpr uint64_t MostCopiedBytes = 4096;

std::string fileOf(const DILocation &Location) {
  SmallString<128> Path(Location.getFilename());
  if (sys::path::is_relative(Path) && !Location.getDirectory().empty()) {
    Path = Location.getDirectory();
    sys::path::append(Path, Location.getFilename());
  }
  return Path.str().str();
}

AllocaInst *privateObject(Value *Pointer) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
}

bool isPrivate(Value *Pointer) { return privateObject(Pointer) != nullptr; }

/// The blocks of \p F in reverse post-order, but those of a loop together.
class BlockOrder {
  const LoopInfo &Loops;
  std::vector<BasicBlock *> Blocks;

public:
  std::vector<BasicBlock *> Result;

  BlockOrder(Function &F, const LoopInfo &Loops) : Loops(Loops) {
    ReversePostOrderTraversal<Function *> Order(&F);
    Blocks.assign(Order.begin(), Order.end());
    append(nullptr);
  }

private:
  void append(const llvm::Loop *Around) {
    for (BasicBlock *Block : Blocks) {
      const llvm::Loop *Inner = Loops.getLoopFor(Block);
      if (Inner == Around) {
        Result.push_back(Block);
        continue;
      }
      while (Inner && Inner->getParentLoop() != Around)
        Inner = Inner->getParentLoop();
      if (Inner && Inner->getHeader() == Block)
        append(Inner);
    }
  }
};

/// Numbers and rewrites one function.
class FunctionRewriter {
  Function &F;
  Instrumented &Into;
  HostFunctions &Host;
  const Wishes &Wanted;
  const std::string Kernel; ///< empty for other functions

public:
  FunctionRewriter(Function &F, bool IsKernel, Instrumented &Into,
                   HostFunctions &Host, const Wishes &Wanted)
      : F(F), Into(Into), Host(Host), Wanted(Wanted),
        Kernel(IsKernel ? sourceName(F).str() : "") {}

  void rewrite() {
    removeUnreachableBlocks(F);
    promoteVariables();
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    for (llvm::Loop *L : Loops.getLoopsInPreorder())
      if (!L->getLoopPreheader())
        addPreheader(L, Dominators, Loops);
    std::map<const llvm::Loop *, int32_t> LoopNumbers;
    const BlockOrder Order(F, Loops);
    for (BasicBlock *Block : Order.Result) {
      llvm::Loop *L = Loops.getLoopFor(Block);
      if (L && L->getHeader() == Block)
        rewriteHeader(*L, LoopNumbers);
      rewriteBlock(*Block, L ? LoopNumbers[L] : -1);
    }
  }

private:
  static void addPreheader(llvm::Loop *L, DominatorTree &Dominators,
                           LoopInfo &Loops) {
    SmallVector<BasicBlock *, 4> Outside;
    for (BasicBlock *From : predecessors(L->getHeader()))
      if (!L->contains(From))
        Outside.push_back(From);
    SplitBlockPredecessors(L->getHeader(), Outside, ".enter", &Dominators,
                           &Loops);
  }

  /// Scalars into registers; everything else stays as Clang wrote it.
  void promoteVariables() {
    DominatorTree Dominators(F);
    SmallVector<AllocaInst *, 32> Scalars;
    for (Instruction &I : F.getEntryBlock())
      if (auto *Variable = dyn_cast<AllocaInst>(&I);
          Variable && isAllocaPromotable(Variable))
        Scalars.push_back(Variable);
    PromoteMemToReg(Scalars, Dominators);
  }

  uint32_t newPosition(int32_t Loop, const Instruction *At = nullptr) {
    Point P;
    P.Kernel = Kernel;
    P.Loop = Kernel.empty() ? -1 : Loop;
    if (const DILocation *Location = At ? At->getDebugLoc().get() : nullptr) {
      P.Place = placeOf(Location);
      P.Where = {fileOf(*Location), Location->getLine(), Location->getColumn()};
    }
    Into.Numbers.Points.push_back(std::move(P));
    return uint32_t(Into.Numbers.Points.size()) - 1;
  }

  uint32_t newAccess(int32_t Loop, const Instruction &At, Operation Op,
                     uint64_t Bytes) {
    const uint32_t Position = newPosition(Loop, &At);
    Point &P = Into.Numbers.Points[Position];
    P.What = Point::Kind::Access;
    P.Op = Op;
    P.Bytes = unsigned(Bytes);
    return Position;
  }

  void rewriteHeader(llvm::Loop &L,
                     std::map<const llvm::Loop *, int32_t> &LoopNumbers) {
    if (Kernel.empty())
      return;
    const int32_t Parent =
        L.getParentLoop() ? LoopNumbers[L.getParentLoop()] : -1;
    const auto Number = int32_t(Into.Numbers.Loops.size());
    LoopNumbers[&L] = Number;
    Into.Numbers.Loops.push_back({Parent, newPosition(Parent)});
    IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
    Host.call(Before, "warpwise.enter_loop", Before.getVoidTy(),
              {Before.getInt32(Number)});
    IRBuilder<> Inside(L.getHeader(), L.getHeader()->getFirstInsertionPt());
    Host.call(Inside, "warpwise.next_iteration", Inside.getVoidTy(),
              {Inside.getInt32(Number)});
  }

  void rewriteBlock(BasicBlock &Block, int32_t Loop) {
    for (Instruction &I : make_early_inc_range(Block)) {
      I.dropUnknownNonDebugMetadata(LLVMContext::MD_nontemporal);
      if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
        rewriteCopy(*Copy, Loop);
      else if (auto *Call = dyn_cast<CallInst>(&I))
        rewriteCall(*Call, Loop);
      else if (I.isIntDivRem())
        divideAsDevice(I);
      else if (auto *Cast = dyn_cast<IntToPtrInst>(&I))
        widenSharedAddress(*Cast);
      else if (isa<UnreachableInst>(I))
        leaveAt(I);
      else
        rewriteAccess(I, Loop);
    }
  }

  void rewriteAccess(Instruction &I, int32_t Loop) {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    auto report = [&](Operation Op, unsigned Operand, Type *T) {
      Value *Pointer = I.getOperand(Operand);
      const uint64_t Bytes = Layout.getTypeStoreSize(T);
      IRBuilder<> Builder(&I);
      if (AllocaInst *Object = privateObject(Pointer)) {
        I.setOperand(Operand, keepInside(Builder, *Object, Pointer, Bytes));
        if (!Wanted.LocalMemory.empty() &&
            Object->getName().starts_with(Wanted.LocalMemory))
          reportPrivate(Builder, I, Loop, Op, Operand, Bytes);
        return;
      }
      const uint32_t Position = newAccess(Loop, I, Op, Bytes);
      Into.Numbers.Points[Position].PastL1 =
          Op == Operation::Load && lowering::goesPastL1(I);
      I.setOperand(Operand, Host.access(Builder, Position, Pointer));
    };
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      report(Operation::Load, Load->getPointerOperandIndex(), Load->getType());
      if (!Load->isAtomic())
        Load->setAlignment(Align(1));
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      report(Operation::Store, Store->getPointerOperandIndex(),
             Store->getValueOperand()->getType());
      if (!Store->isAtomic())
        Store->setAlignment(Align(1));
    } else if (auto *Modify = dyn_cast<AtomicRMWInst>(&I)) {
      report(Operation::Atomic, Modify->getPointerOperandIndex(),
             Modify->getType());
    } else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
      report(Operation::Atomic, Swap->getPointerOperandIndex(),
             Swap->getNewValOperand()->getType());
    }
  }

  void reportPrivate(IRBuilder<> &Builder, Instruction &I, int32_t Loop,
                     Operation Op, unsigned Operand, uint64_t Bytes) {
    const uint32_t Position = newAccess(Loop, I, Op, Bytes);
    Into.Numbers.Points[Position].Private = true;
    Host.access(Builder, Position, I.getOperand(Operand));
  }

  /// The data may make an index that leads out of a private array, which on the
  /// host would take the whole process down.
  Value *keepInside(IRBuilder<> &Builder, AllocaInst &Object, Value *Pointer,
                    uint64_t Bytes) {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    const std::optional<TypeSize> Size = Object.getAllocationSize(Layout);
    APInt Offset(64, 0);
    const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
        Layout, Offset, /*AllowNonInbounds=*/true);
    if (!Size) // of variable size; that is not modelled
      return Pointer;
    if (Base == &Object && Bytes <= Size->getFixedValue() &&
        Offset.ule(Size->getFixedValue() - Bytes))
      return Pointer;
    Value *Checked = Host.call(Builder, "warpwise.private", Builder.getPtrTy(),
                               {HostFunctions::generic(Builder, Pointer),
                                HostFunctions::generic(Builder, &Object),
                                Builder.getInt64(Size->getFixedValue()),
                                Builder.getInt64(Bytes)});
    return Builder.CreateAddrSpaceCast(Checked, Pointer->getType());
  }

  void reportOnly(Instruction &At, int32_t Loop, Operation Op, Value *Pointer,
                  uint64_t Bytes) {
    if (isPrivate(Pointer) || Bytes == 0 || Bytes > MostCopiedBytes)
      return;
    IRBuilder<> Builder(&At);
    Host.access(Builder, newAccess(Loop, At, Op, Bytes), Pointer);
  }

  void rewriteCopy(MemIntrinsic &I, int32_t Loop) {
    auto *Length = dyn_cast<ConstantInt>(I.getLength());
    const uint64_t Bytes = Length ? Length->getZExtValue() : 0;
    IRBuilder<> Builder(&I);
    Value *To = I.getRawDest();
    Value *Size =
        Builder.CreateZExtOrTrunc(I.getLength(), Builder.getInt64Ty());
    if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      Value *From = Copy->getRawSource();
      reportOnly(I, Loop, Operation::Load, From, Bytes);
      reportOnly(I, Loop, Operation::Store, To, Bytes);
      Host.call(Builder, "warpwise.copy", Builder.getVoidTy(),
                {HostFunctions::generic(Builder, To),
                 HostFunctions::generic(Builder, From), Size});
    } else {
      reportOnly(I, Loop, Operation::Store, To, Bytes);
      Value *Byte = Builder.CreateZExt(cast<MemSetInst>(I).getValue(),
                                       Builder.getInt32Ty());
      Host.call(Builder, "warpwise.fill", Builder.getVoidTy(),
                {HostFunctions::generic(Builder, To), Byte, Size});
    }
    I.eraseFromParent();
  }

  /// Done at once: what waits for it comes later.
  bool rewriteAsyncCopy(CallInst &Call, int32_t Loop) {
    const unsigned Bytes = lowering::asyncCopyBytes(Call);
    if (Bytes == 0)
      return false;
    Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1);
    reportOnly(Call, Loop, Operation::Load, From, Bytes);
    reportOnly(Call, Loop, Operation::Store, To, Bytes);
    IRBuilder<> Builder(&Call);
    Host.call(Builder, "warpwise.copy", Builder.getVoidTy(),
              {HostFunctions::generic(Builder, To),
               HostFunctions::generic(Builder, From), Builder.getInt64(Bytes)});
    Call.eraseFromParent();
    return true;
  }

  void rewriteCall(CallInst &Call, int32_t Loop) {
    Call.setCallingConv(CallingConv::C);
    if (isa<AssumeInst>(Call) || Call.isLifetimeStartOrEnd()) {
      Call.eraseFromParent();
      return;
    }
    if (!isDeviceCall(Call) || rewriteAsyncCopy(Call, Loop))
      return;
    const uint32_t Position = newPosition(Loop, &Call);
    // Rewriting adds functions, not positions.
    replaceDeviceCall(Call, Position, Into.Numbers.Points[Position], Host,
                      Wanted.UnknownCalls);
  }

  /// Divisions that would be the end here yield something on a GPU: all ones by
  /// zero, and by -1 what is left of the negation.
  void divideAsDevice(Instruction &I) {
    Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1);
    Type *T = I.getType();
    if (const APInt *Known = nullptr;
        PatternMatch::match(Divisor, PatternMatch::m_APInt(Known)) &&
        !Known->isZero() && !Known->isAllOnes())
      return;
    const bool IsSigned = I.getOpcode() == Instruction::SDiv ||
                          I.getOpcode() == Instruction::SRem;
    const bool IsRest = I.getOpcode() == Instruction::SRem ||
                        I.getOpcode() == Instruction::URem;
    IRBuilder<> Builder(&I);
    // What must not be divided by must not be unknown either.
    Divisor = Builder.CreateFreeze(Divisor);
    Constant *AllOnes = Constant::getAllOnesValue(T);
    Value *IsZero = Builder.CreateIsNull(Divisor);
    Value *IsMinusOne =
        IsSigned ? Builder.CreateICmpEQ(Divisor, AllOnes) : nullptr;
    Value *Unusual = IsSigned ? Builder.CreateOr(IsZero, IsMinusOne) : IsZero;
    Value *Result = Builder.CreateBinOp(
        Instruction::BinaryOps(I.getOpcode()), Dividend,
        Builder.CreateSelect(Unusual, ConstantInt::get(T, 1), Divisor));
    if (IsSigned)
      Result = Builder.CreateSelect(IsMinusOne,
                                    IsRest ? Constant::getNullValue(T)
                                           : Builder.CreateNeg(Dividend),
                                    Result);
    I.replaceAllUsesWith(Builder.CreateSelect(IsZero, AllOnes, Result));
    I.eraseFromParent();
  }

  /// Shared memory has addresses of 32 bits too; here it has only one half of
  /// its address then.
  void widenSharedAddress(IntToPtrInst &I) {
    if (I.getAddressSpace() != lowering::SharedSpace ||
        I.getType()->isVectorTy())
      return;
    IRBuilder<> Builder(&I);
    Value *Short =
        Builder.CreateZExtOrTrunc(I.getOperand(0), Builder.getInt32Ty());
    I.replaceAllUsesWith(
        Host.call(Builder, "warpwise.shared", I.getType(), {Short}));
    I.eraseFromParent();
  }

  void leaveAt(Instruction &I) {
    IRBuilder<> Builder(&I);
    Host.call(Builder, "warpwise.leave", Builder.getVoidTy(), {});
  }
};

/// Gives every variable memory of its own and a symbol to find it by.
void defineVariables(Module &M, Instrumented &Into) {
  // All arrays without a size begin at the same place: dynamic shared memory.
  constexpr uint64_t DynamicSharedBytes = 256 << 10;
  constexpr uint64_t VariableAlignment = 256; // as cudaMalloc, and whole banks
  SmallVector<GlobalVariable *, 16> Known;
  for (GlobalVariable &Variable : M.globals())
    if (!Variable.getName().starts_with("llvm."))
      Known.push_back(&Variable);
  for (GlobalVariable *Given : Known) {
    GlobalVariable &Variable = *Given;
    const std::string Name = sourceName(Variable).str();
    Type *T = Variable.getValueType();
    const access::Space Memory =
        lowering::spaceOfNumber(Variable.getAddressSpace())
            .value_or(access::Space::Global);
    if (Memory == access::Space::Shared && Variable.isDeclaration())
      T = ArrayType::get(Type::getInt8Ty(M.getContext()), DynamicSharedBytes);
    const bool IsInitialised = Variable.hasInitializer() &&
                               Memory != access::Space::Shared &&
                               !isa<UndefValue>(Variable.getInitializer());
    auto *Made = new GlobalVariable(
        M, T, /*isConstant=*/false, GlobalValue::ExternalLinkage,
        IsInitialised ? Variable.getInitializer() : Constant::getNullValue(T),
        "", nullptr, GlobalValue::NotThreadLocal, Variable.getAddressSpace());
    Made->setName("warpwise.variable." + Twine(Into.Variables.size()));
    Made->setAlignment(Align(VariableAlignment));
    Variable.replaceAllUsesWith(Made);
    Variable.eraseFromParent();
    const uint64_t Bytes = M.getDataLayout().getTypeAllocSize(T);
    if (Bytes != 0)
      Into.Variables.push_back(
          {Made->getName().str(), Name, Bytes, Memory,
           IsInitialised && !Made->getInitializer()->isNullValue()});
  }
}

/// Functions and variables have one name each.
void dropSecondNames(Module &M) {
  for (GlobalAlias &Alias : make_early_inc_range(M.aliases())) {
    Alias.replaceAllUsesWith(Alias.getAliasee());
    Alias.eraseFromParent();
  }
  for (GlobalIFunc &Chosen : make_early_inc_range(M.ifuncs())) {
    Chosen.replaceAllUsesWith(ConstantPointerNull::get(Chosen.getType()));
    Chosen.eraseFromParent();
  }
}

/// A function with the type of execution::Driver that calls \p Kernel.
std::string makeDriver(Function &Kernel) {
  Module &M = *Kernel.getParent();
  const std::string Name = ("warpwise.run." + sourceName(Kernel)).str();
  Type *Pointer = PointerType::get(M.getContext(), 0);
  auto *Driver = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), {Pointer}, false),
      GlobalValue::ExternalLinkage, Name, M);
  IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Driver));
  SmallVector<Value *, 8> Arguments;
  for (Argument &Formal : Kernel.args()) {
    Value *At = Builder.CreateLoad(
        Pointer, Builder.CreateConstGEP1_32(Pointer, Driver->getArg(0),
                                            Formal.getArgNo()));
    Arguments.push_back(
        Formal.hasByValAttr() ? At : Builder.CreateLoad(Formal.getType(), At));
  }
  Builder.CreateCall(&Kernel, Arguments);
  Builder.CreateRetVoid();
  return Name;
}

/// Nobody calls the source's other functions any more; their addresses may be
/// taken.
void dropOthers(Module &M, ArrayRef<Function *> Kernels) {
  for (Function &F : make_early_inc_range(M)) {
    if (F.isIntrinsic() || F.getName().starts_with(OwnPrefix) ||
        is_contained(Kernels, &F))
      continue;
    F.replaceAllUsesWith(ConstantPointerNull::get(F.getType()));
    F.eraseFromParent();
  }
}

} // namespace

std::string placeOf(const DILocation *Location) {
  std::string Place;
  for (const DILocation *At = Location; At; At = At->getInlinedAt()) {
    if (!Place.empty())
      Place += " < ";
    Place += sys::path::filename(At->getFilename());
    Place += ":" + std::to_string(At->getLine()) + ":" +
             std::to_string(At->getColumn());
  }
  return Place;
}

Instrumented instrument(Module &M, const Wishes &Wanted) {
  Instrumented Into;
  Into.Numbers.Points.emplace_back(); // 0 is no position
  const std::vector<Function *> Kernels = lowering::kernelsOf(M);
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations"))
    Annotations->eraseFromParent();
  moveNamesAway(M);
  dropSecondNames(M);
  for (Function &F : M)
    if (!F.isDeclaration() && !is_contained(Kernels, &F))
      F.deleteBody(); // it calls itself, else it were inlined
  HostFunctions Host(M);
  for (Function &F : M) {
    F.setCallingConv(CallingConv::C);
    if (F.isDeclaration())
      continue;
    FunctionRewriter(F, is_contained(Kernels, &F), Into, Host, Wanted)
        .rewrite();
  }
  for (Function *Kernel : Kernels) {
    Into.Drivers[sourceName(*Kernel).str()] = makeDriver(*Kernel);
    for (Argument &Formal : Kernel->args())
      Formal.removeAttr(Attribute::ByVal);
  }
  defineVariables(M, Into);
  dropOthers(M, Kernels);
  stripForHost(M);
  StripDebugInfo(M);
  if (NamedMDNode *Flags = M.getModuleFlagsMetadata())
    Flags->eraseFromParent();
  return Into;
}

} // namespace warpwise::execution
