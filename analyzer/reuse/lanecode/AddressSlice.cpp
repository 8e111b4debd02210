//===- AddressSlice.cpp - What of a kernel decides addresses --------------===//
//
// The kernel comes instrumented: a call reports each access. A copy of it is
// cut in these steps: every report becomes an event with the address; stores
// and copies go, but for those to memory whose contents are kept; atomics
// become loads; and what nobody uses any more is dead code, which LLVM removes.
// Loads that are still there then decide some address. What they read has to be
// kept, so the whole is done again, until no load reads anything else.
//

#include "analyzer/reuse/lanecode/AddressSlice.h"

#include "analyzer/execution/DeviceCalls.h"
#include "analyzer/execution/Names.h"
#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/PassRunner.h"
#include "analyzer/reuse/lanecode/TracePipeline.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cassert>

using namespace llvm;

namespace warpwise::reuse {
namespace {

using execution::Point;

/// The objects behind \p Pointer, through phis, selects and casts.
SmallVector<const Value *, 4> objectsOf(const Value *Pointer) {
  SmallVector<const Value *, 4> Found;
  getUnderlyingObjects(Pointer, Found, nullptr, /*MaxLookup=*/0);
  return Found;
}

const AllocaInst *privateObject(const Value *Pointer) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
}

bool isShared(const Value *Object) {
  return Object->getType()->isPointerTy() &&
         Object->getType()->getPointerAddressSpace() == lowering::SharedSpace;
}

/// Made from a number.
bool isUnknownShared(const Value *Object) {
  return isShared(Object) && !isa<Constant>(Object);
}

/// Memory whose contents decide addresses: stores to it belong to the slice.
/// Private arrays and variables by name, buffers by the number of the pointer.
struct KeptMemory {
  std::set<std::string> Names;
  std::set<unsigned> Arguments;
  bool Unknown = false, UnknownShared = false;

  bool add(const Value *Object) {
    if (isUnknownShared(Object))
      return !std::exchange(UnknownShared, true);
    if (auto *Formal = dyn_cast<Argument>(Object))
      return Arguments.insert(Formal->getArgNo()).second;
    if (isa<AllocaInst, GlobalVariable>(Object))
      return Names.insert(Object->getName().str()).second;
    return !isa<Constant>(Object) && !std::exchange(Unknown, true);
  }

  bool mayHold(const Value *Object) const {
    if (UnknownShared && isShared(Object))
      return true;
    if (isa<AllocaInst>(Object))
      return Names.count(Object->getName().str());
    if (auto *Formal = dyn_cast<Argument>(Object))
      return Unknown || Arguments.count(Formal->getArgNo());
    if (isa<GlobalVariable>(Object))
      return Unknown || Names.count(Object->getName().str());
    return Unknown || !Arguments.empty() || !Names.empty();
  }
};

/// The size of each argument that is passed by value, by its number.
using StructSizes = std::map<unsigned, uint64_t>;

void add(Objects &To, const Value *Pointer,
         const StructSizes &StructArguments) {
  for (const Value *Object : objectsOf(Pointer)) {
    if (auto *Formal = dyn_cast<Argument>(Object)) {
      (StructArguments.count(Formal->getArgNo()) ? To.Structs : To.Arguments)
          .insert(Formal->getArgNo());
    } else if (auto *Variable = dyn_cast<GlobalVariable>(Object)) {
      To.Variables.insert(Variable->getName().str());
    } else if (!isa<AllocaInst>(Object) && !isa<Constant>(Object) &&
               !isShared(Object)) {
      To.Unknown = true;
    }
  }
}

class Slicer {
  AddressSlice &Into;
  Function &F;
  const StructSizes &StructArguments;
  const KeptMemory &Kept;
  std::map<const AllocaInst *, uint64_t> FrameOffsets;
  bool WritesUnknownShared = false;

public:
  Slicer(AddressSlice &Into, Function &F, const StructSizes &StructArguments,
         const KeptMemory &Kept)
      : Into(Into), F(F), StructArguments(StructArguments), Kept(Kept) {}

  void run() {
    layOutFrame();
    describeCalls();
    for (BasicBlock &Block : make_early_inc_range(F))
      for (Instruction &I : make_early_inc_range(Block))
        if (auto *Call = dyn_cast<CallInst>(&I))
          rewriteCall(*Call);
        else
          rewriteMemory(I);
    endAtLeave();
    removeUnreachableBlocks(F);
    clean();
  }

  /// Adds the memory that the slice reads. False when it was all known.
  bool addReads(KeptMemory &To) {
    bool New = false;
    for (Instruction &I : instructions(F))
      if (const Value *From = readBy(I))
        for (const Value *Object : objectsOf(From))
          New |= To.add(Object);
    return New;
  }

  /// What the finished slice needs, and guards for what it accesses.
  void finish() {
    SmallVector<Instruction *, 16> Accesses;
    for (Instruction &I : instructions(F)) {
      if (isa<LoadInst, StoreInst, MemIntrinsic>(I))
        Accesses.push_back(&I);
      else if (auto *Call = dyn_cast<CallInst>(&I))
        noteCall(*Call);
      Into.WritesMemory |= writesMemory(I);
    }
    for (Instruction *I : Accesses) {
      noteRead(*I);
      // What cannot be guarded here is where threads run side by side.
      Into.NeedsOthers |= !guard(*I);
    }
    Into.NeedsOthers |= Into.Read.meets(Into.Written);
  }

private:
  /// The memory that \p I reads; null for none.
  static Value *readBy(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->getPointerOperand();
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    return Copy ? Copy->getRawSource() : nullptr;
  }

  void noteRead(Instruction &I) {
    const Value *Pointer = readBy(I);
    if (!Pointer || privateObject(Pointer))
      return;
    for (const Value *Object : objectsOf(Pointer))
      Into.NeedsOthers |= isa<AllocaInst>(Object) || isUnknownShared(Object) ||
                          (WritesUnknownShared && isShared(Object));
    if (Into.Read.empty())
      Into.FirstLoad = placeOf(I);
    add(Into.Read, Pointer, StructArguments);
  }

  /// The offset of every private array in the thread's frame.
  void layOutFrame() {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    uint64_t Bytes = 0;
    for (Instruction &I : instructions(F))
      if (auto *Slot = dyn_cast<AllocaInst>(&I)) {
        constexpr uint64_t FrameAlignment = 16;
        FrameOffsets[Slot] = Bytes;
        if (std::optional<TypeSize> Size = Slot->getAllocationSize(Layout))
          Bytes += alignTo(Size->getFixedValue(), FrameAlignment);
      }
    Into.FrameBytes = Bytes;
  }

  /// Says which calls may be dropped when nobody wants their result.
  void describeCalls() {
    for (Function &Callee : *F.getParent()) {
      if (!Callee.isDeclaration() || Callee.isIntrinsic())
        continue;
      const StringRef Name = Callee.getName();
      Callee.addFnAttr(Attribute::NoUnwind);
      Callee.addFnAttr(Attribute::WillReturn);
      const bool Acts = Name == "warpwise.leave";
      Callee.setMemoryEffects(Acts ? MemoryEffects::inaccessibleMemOnly()
                                   : MemoryEffects::none());
    }
  }

  CallInst *event(IRBuilder<> &Builder, Value *Position, Value *Payload) {
    FunctionCallee Callee = F.getParent()->getOrInsertFunction(
        EventCall, Builder.getVoidTy(), Builder.getInt32Ty(),
        Builder.getInt64Ty());
    auto *Declared = cast<Function>(Callee.getCallee());
    Declared->setMemoryEffects(
        MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
    Declared->addFnAttr(Attribute::NoUnwind);
    Declared->addFnAttr(Attribute::WillReturn);
    return Builder.CreateCall(Callee, {Position, Payload});
  }

  Point &pointOf(const Value *Position) {
    const uint64_t Number = cast<ConstantInt>(Position)->getZExtValue();
    assert(Number < Into.Code.Numbers.Points.size());
    return Into.Code.Numbers.Points[Number];
  }

  void rewriteCall(CallInst &Call) {
    const Function *Callee = Call.getCalledFunction();
    const StringRef Name = Callee ? Callee->getName() : "";
    IRBuilder<> Builder(&Call);
    if (Name == "warpwise.access") {
      reportAddress(Builder, Call.getArgOperand(0), Call.getArgOperand(1));
      Call.replaceAllUsesWith(Call.getArgOperand(1));
      Call.eraseFromParent();
    } else if (Name == "warpwise.block_barrier") {
      event(Builder, Call.getArgOperand(0), Builder.getInt64(0));
    } else if (Name == "warpwise.copy" || Name == "warpwise.fill") {
      rewriteCopy(Call, Name == "warpwise.copy");
    } else if (Name == "warpwise.private") {
      // What is left in the end is kept inside then.
      Call.replaceAllUsesWith(Call.getArgOperand(0));
      Call.eraseFromParent();
    } else if (Name == "warpwise.enter_loop" ||
               Name == "warpwise.next_iteration" ||
               Name == "warpwise.warp_barrier") {
      Call.eraseFromParent();
    }
  }

  void reportAddress(IRBuilder<> &Builder, Value *Position, Value *Pointer) {
    Point &P = pointOf(Position);
    Value *Payload = Builder.CreatePtrToInt(Pointer, Builder.getInt64Ty());
    if (P.Private) {
      auto *Object = const_cast<AllocaInst *>(privateObject(Pointer));
      assert(Object && FrameOffsets.count(Object) &&
             "a private access is to an array of the frame");
      Value *Base = Builder.CreatePtrToInt(Object, Builder.getInt64Ty());
      Payload = Builder.CreateAdd(Builder.CreateSub(Payload, Base),
                                  Builder.getInt64(FrameOffsets[Object]));
    } else {
      if (P.Op != access::Operation::Load) {
        add(Into.Written, Pointer, StructArguments);
        WritesUnknownShared |= any_of(objectsOf(Pointer), isUnknownShared);
      }
      if (!isTraced(Pointer))
        return;
    }
    event(Builder, Position, Payload);
  }

  bool isKept(const Value *Pointer) const {
    return any_of(objectsOf(Pointer),
                  [&](const Value *Object) { return Kept.mayHold(Object); });
  }

  /// Shared memory, constants and parameters have caches of their own.
  bool isTraced(const Value *Pointer) const {
    return any_of(objectsOf(Pointer), [&](const Value *Object) {
      if (auto *Variable = dyn_cast<GlobalVariable>(Object))
        return Variable->getAddressSpace() != lowering::SharedSpace &&
               Variable->getAddressSpace() != lowering::ConstantSpace;
      if (isShared(Object))
        return false;
      auto *Formal = dyn_cast<Argument>(Object);
      return !Formal || !StructArguments.count(Formal->getArgNo());
    });
  }

  /// Copies into memory whose contents count are made; the others were
  /// reported already.
  void rewriteCopy(CallInst &Call, bool IsCopy) {
    IRBuilder<> Builder(&Call);
    Value *To = Call.getArgOperand(0), *Size = Call.getArgOperand(2);
    if (isKept(To)) {
      if (IsCopy)
        Builder.CreateMemCpy(To, Align(1), Call.getArgOperand(1), Align(1),
                             Size);
      else
        Builder.CreateMemSet(
            To, Builder.CreateTrunc(Call.getArgOperand(1), Builder.getInt8Ty()),
            Size, Align(1));
    }
    Call.eraseFromParent();
  }

  void rewriteMemory(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      Load->setVolatile(false);
      Load->setOrdering(AtomicOrdering::NotAtomic);
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (!isKept(Store->getPointerOperand()))
        Store->eraseFromParent();
    } else if (auto *Modify = dyn_cast<AtomicRMWInst>(&I)) {
      replaceAtomic(I, Modify->getPointerOperand(), Modify->getValOperand());
    } else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
      replaceAtomic(I, Swap->getPointerOperand(), Swap->getNewValOperand());
    } else if (isa<FenceInst>(I)) {
      I.eraseFromParent();
    }
  }

  /// What an atomic returns is a load from memory that the kernel writes: when
  /// it is wanted, that makes the threads run together.
  void replaceAtomic(Instruction &I, Value *Pointer, Value *Operand) {
    IRBuilder<> Builder(&I);
    Value *Old =
        Builder.CreateAlignedLoad(Operand->getType(), Pointer, Align(1));
    if (isKept(Pointer))
      Builder.CreateStore(Operand, Pointer);
    if (I.getType() != Operand->getType()) {
      Value *Pair =
          Builder.CreateInsertValue(PoisonValue::get(I.getType()), Old, 0);
      Old = Builder.CreateInsertValue(
          Pair,
          Builder.CreateICmpEQ(Old,
                               cast<AtomicCmpXchgInst>(I).getCompareOperand()),
          1);
    }
    I.replaceAllUsesWith(Old);
    I.eraseFromParent();
  }

  void endAtLeave() {
    SmallVector<CallInst *, 4> Ends;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && Callee->getName() == "warpwise.leave")
          Ends.push_back(Call);
    for (CallInst *Call : Ends) {
      BasicBlock *Block = Call->getParent();
      SplitBlock(Block, Call);
      ReplaceInstWithInst(Block->getTerminator(),
                          ReturnInst::Create(F.getContext()));
    }
  }

  void clean() {
    lowering::PassRunner().run(
        F, "adce,simplifycfg,sroa<modify-cfg>,instcombine<no-verify-"
           "fixpoint>,loop(loop-deletion),adce,simplifycfg,early-cse,"
           "instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
           "loop(loop-deletion),adce,simplifycfg");
  }

  static bool writesMemory(const Instruction &I) {
    if (isa<MemIntrinsic>(I))
      return true;
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      return false;
    const AllocaInst *Object = privateObject(Store->getPointerOperand());
    return !Object || !Object->isStaticAlloca();
  }

  void noteCall(const CallInst &Call) {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return;
    const StringRef Name = Callee->getName();
    if (Name == "warpwise.exchange" || Name == "warpwise.space_of" ||
        (Name == "warpwise.block_barrier" && !Call.use_empty()))
      Into.NeedsOthers = true;
    else if (Name.starts_with(execution::UnknownCall))
      Into.UnknownCall = Name.drop_front(execution::UnknownCall.size()).str();
  }

  /// Loads have lost their debug locations; the report of one stands before it.
  access::Place placeOf(Instruction &Load) {
    for (Instruction *I = &Load; I; I = I->getPrevNode())
      if (auto *Call = dyn_cast<CallInst>(I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && Callee->getName() == EventCall)
          return pointOf(Call->getArgOperand(0)).Where;
    return {};
  }

  /// Sees to it that \p I stays within its object, whatever the data are. False
  /// when that cannot be done.
  bool guard(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (const AllocaInst *Object = privateObject(Load->getPointerOperand()))
        return keepInside(I, 0, *Object, Load->getType());
      return guardShared(*Load);
    }
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      const AllocaInst *Object = privateObject(Store->getPointerOperand());
      return Object && keepInside(I, Store->getPointerOperandIndex(), *Object,
                                  Store->getValueOperand()->getType());
    }
    auto &Copy = cast<MemIntrinsic>(I);
    auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
    const Value *From = readBy(I);
    return Length && isInside(Copy.getRawDest(), Length->getZExtValue()) &&
           (!From || isInside(From, Length->getZExtValue()));
  }

  /// Whether \p Bytes at \p Pointer are in an object of a known size.
  bool isInside(const Value *Pointer, uint64_t Bytes) const {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    APInt Offset(64, 0);
    const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
        Layout, Offset, /*AllowNonInbounds=*/true);
    uint64_t Size = 0;
    if (auto *Slot = dyn_cast<AllocaInst>(Base)) {
      if (std::optional<TypeSize> Known = Slot->getAllocationSize(Layout))
        Size = Known->getFixedValue();
    } else if (auto *Variable = dyn_cast<GlobalVariable>(Base)) {
      Size = Layout.getTypeAllocSize(Variable->getValueType());
    }
    return Bytes <= Size && Offset.ule(Size - Bytes);
  }

  /// An index of the data may lead out of a private array, into the frames of
  /// this process. The object stays visible in the address.
  bool keepInside(Instruction &I, unsigned Operand, const AllocaInst &Object,
                  Type *Accessed) {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    Value *Pointer = I.getOperand(Operand);
    const uint64_t Bytes = Layout.getTypeStoreSize(Accessed);
    if (isInside(Pointer, Bytes))
      return true;
    const std::optional<TypeSize> Size = Object.getAllocationSize(Layout);
    if (!Size || Bytes > Size->getFixedValue())
      return false;
    IRBuilder<> Builder(&I);
    auto *Base = const_cast<AllocaInst *>(&Object);
    // Frozen: what LLVM takes to be impossible is looked at, too.
    Value *Offset = Builder.CreatePtrDiff(Builder.getInt8Ty(),
                                          Builder.CreateFreeze(Pointer), Base);
    Value *Inside = Builder.CreateICmpULE(
        Offset, Builder.getInt64(Size->getFixedValue() - Bytes));
    Value *Safe = Builder.CreateSelect(Inside, Offset, Builder.getInt64(0));
    I.setOperand(Operand, Builder.CreateGEP(Builder.getInt8Ty(), Base, Safe));
    return true;
  }

  /// A load of what all threads see, or of an argument.
  bool guardShared(LoadInst &Load) {
    const DataLayout &Layout = F.getParent()->getDataLayout();
    Value *Pointer = Load.getPointerOperand();
    const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
    uint64_t Size = 0;
    IRBuilder<> Builder(&Load);
    Value *Base = ConstantPointerNull::get(Builder.getPtrTy());
    auto isAt = [&](uint64_t Bytes) {
      Size = Bytes;
      Base = Builder.CreateAddrSpaceCast(const_cast<Value *>(Object),
                                         Builder.getPtrTy());
    };
    const uint64_t Bytes = Layout.getTypeStoreSize(Load.getType());
    if (auto *Variable = dyn_cast<GlobalVariable>(Object)) {
      isAt(Layout.getTypeAllocSize(Variable->getValueType()));
    } else if (auto *Formal = dyn_cast<Argument>(Object);
               Formal && StructArguments.count(Formal->getArgNo())) {
      isAt(StructArguments.at(Formal->getArgNo()));
      APInt Offset(64, 0);
      if (Pointer->stripAndAccumulateConstantOffsets(
              Layout, Offset, /*AllowNonInbounds=*/true) == Object &&
          Bytes <= Size && Offset.ule(Size - Bytes))
        return true; // as nearly always
    }
    Value *Generic = Builder.CreateFreeze(
        Builder.CreateAddrSpaceCast(Pointer, Builder.getPtrTy()));
    FunctionCallee Inside = F.getParent()->getOrInsertFunction(
        InsideCall, Builder.getInt1Ty(), Builder.getPtrTy(), Builder.getPtrTy(),
        Builder.getInt64Ty(), Builder.getInt64Ty());
    Value *Fine =
        Builder.CreateCall(Inside, {Generic, Base, Builder.getInt64(Size),
                                    Builder.getInt64(Bytes)});
    // The load stays where it is, from a place that is always there.
    auto *Zero = new GlobalVariable(
        *F.getParent(), Load.getType(), /*isConstant=*/true,
        GlobalValue::PrivateLinkage, Constant::getNullValue(Load.getType()));
    Load.setOperand(0, Builder.CreateSelect(Fine, Generic, Zero));
    return true;
  }
};

} // namespace

bool Objects::meets(const Objects &Other) const {
  auto share = [](const auto &A, const auto &B) {
    return any_of(A, [&](const auto &X) { return B.count(X) != 0; });
  };
  auto holdsBuffers = [](const Objects &O) {
    return O.Unknown || !O.Arguments.empty() || !O.Variables.empty();
  };
  return share(Arguments, Other.Arguments) ||
         share(Variables, Other.Variables) ||
         (Unknown && holdsBuffers(Other)) ||
         (Other.Unknown && holdsBuffers(*this));
}

AddressSlice sliceKernel(const Module &M, StringRef Kernel) {
  assert(M.getFunction(Kernel) && "a kernel of another module");
  StructSizes StructArguments;
  for (const Argument &Formal : M.getFunction(Kernel)->args())
    if (Formal.hasByValAttr())
      StructArguments[Formal.getArgNo()] =
          M.getDataLayout().getTypeAllocSize(Formal.getParamByValType());
  execution::Wishes Wanted;
  Wanted.LocalMemory = LocalArray.str();
  Wanted.UnknownCalls = true;
  // What decides an address in one round keeps stores in the next one.
  for (KeptMemory Kept;;) {
    AddressSlice Slice;
    Slice.M = CloneModule(M);
    Slice.Code = execution::instrument(*Slice.M, Wanted);
    Function &F = *Slice.M->getFunction(execution::symbolOf(Kernel));
    Slicer Work(Slice, F, StructArguments, Kept);
    Work.run();
    if (Work.addReads(Kept))
      continue;
    Work.finish();
    return Slice;
  }
}

} // namespace warpwise::reuse
