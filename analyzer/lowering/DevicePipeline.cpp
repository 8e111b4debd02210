//===- DevicePipeline.cpp - The IR that accesses are read from ------------===//

#include "analyzer/lowering/DevicePipeline.h"

#include "analyzer/lowering/KnownIntrinsics.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <set>

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace warpwise::lowering {
namespace {

/// A pass builder with its analysis managers, in the order in which they have
/// to be destroyed.
class PassRunner {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager CallGraph;
  ModuleAnalysisManager Modules;
  PassInstrumentationCallbacks Callbacks;
  PassBuilder Builder;

public:
  explicit PassRunner(TargetMachine &Machine)
      : Builder(&Machine, PipelineTuningOptions(), std::nullopt, &Callbacks) {
    // It would tell the user that a loop was not unrolled.
    Callbacks.registerShouldRunOptionalPassCallback([](StringRef Pass, Any) {
      return Pass != "WarnMissedTransformationsPass";
    });
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(CallGraph);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, CallGraph, Modules);
  }

  void run(Module &M, StringRef Pipeline) {
    ModulePassManager Passes;
    cantFail(Builder.parsePassPipeline(Passes, Pipeline));
    Passes.run(M, Modules);
  }
};

/// Copies of more bytes stay calls: they are loops in the hardware too.
constexpr uint64_t MaxExpandedBytes = 256;
constexpr uint64_t MaxAccessBytes = 16; // ld.v4.b32

bool isVectorSize(uint64_t Bytes) { return Bytes == 8 || Bytes == 16; }

bool isPrivate(const Value *Pointer) {
  return isa<AllocaInst>(getUnderlyingObject(Pointer));
}

/// The type of one access of \p Bytes.
Type *accessType(IRBuilder<> &Builder, uint64_t Bytes) {
  return Bytes < 8 ? Type::getIntNTy(Builder.getContext(), Bytes * 8)
                   : cast<Type>(
                         FixedVectorType::get(Builder.getInt32Ty(), Bytes / 4));
}

/// Replaces \p Copy by the loads and stores that the code generator makes of
/// it: as wide as the alignment allows.
void expand(MemTransferInst &Copy, uint64_t Length) {
  IRBuilder<> Builder(&Copy);
  const Align From = Copy.getSourceAlign().valueOrOne();
  const Align To = Copy.getDestAlign().valueOrOne();
  for (uint64_t Done = 0; Done != Length;) {
    uint64_t Bytes = std::min({From.value(), To.value(), MaxAccessBytes});
    while (Bytes > Length - Done || Done % Bytes != 0)
      Bytes /= 2;
    Type *T = accessType(Builder, Bytes);
    auto at = [&](Value *Base) {
      return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Base,
                                                Done);
    };
    Value *Loaded =
        Builder.CreateAlignedLoad(T, at(Copy.getRawSource()), Align(Bytes));
    Builder.CreateAlignedStore(Loaded, at(Copy.getRawDest()), Align(Bytes));
    Done += Bytes;
  }
  Copy.eraseFromParent();
}

/// A float4 copied as a whole arrives as a 16-byte memcpy. SROA would split it
/// and drop the members that nobody reads, but nvcc keeps ld.v4. So such a copy
/// becomes loads and stores first, and so does every copy between memories that
/// lanes share. Copies of larger structs into private variables are left to
/// SROA, which keeps the members that are used, as nvcc does.
void expandCopies(Function &F) {
  SmallVector<MemTransferInst *, 16> Copies;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Copy = dyn_cast<MemTransferInst>(&I))
        Copies.push_back(Copy);
  for (MemTransferInst *Copy : Copies) {
    auto *Constant = dyn_cast<ConstantInt>(Copy->getLength());
    if (!Constant || Copy->isVolatile())
      continue;
    const uint64_t Length = Constant->getZExtValue();
    const bool Shared =
        !isPrivate(Copy->getRawSource()) && !isPrivate(Copy->getRawDest());
    const uint64_t Aligned =
        std::min(Copy->getSourceAlign().valueOrOne().value(),
                 Copy->getDestAlign().valueOrOne().value());
    const bool Vector = isVectorSize(Length) && Aligned >= Length;
    if (Length > 0 && Length <= MaxExpandedBytes && (Shared || Vector))
      expand(*Copy, Length);
  }
}

/// nvcc aligns dynamic shared memory to 16 bytes whatever its declared type,
/// which is what lets it combine neighbouring accesses.
void alignDynamicShared(Module &M) {
  constexpr unsigned SharedSpace = 3;
  for (GlobalVariable &Variable : M.globals())
    if (Variable.getAddressSpace() == SharedSpace && Variable.isDeclaration() &&
        Variable.getAlign().valueOrOne() < 16)
      Variable.setAlignment(Align(16));
}

/// Clang at -O1 marks every loop "do not unroll", which would keep private
/// arrays in memory that nvcc puts into registers.
void allowUnrolling(Module &M) {
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      Instruction *End = Block.getTerminator();
      MDNode *Loop = End ? End->getMetadata(LLVMContext::MD_loop) : nullptr;
      if (!Loop)
        continue;
      for (const MDOperand &Operand : Loop->operands()) {
        auto *Node = dyn_cast<MDNode>(Operand);
        auto *Name = Node && Node->getNumOperands()
                         ? dyn_cast<MDString>(Node->getOperand(0))
                         : nullptr;
        if (Name && Name->getString() == "llvm.loop.unroll.disable") {
          End->setMetadata(LLVMContext::MD_loop, nullptr);
          break;
        }
      }
    }
}

} // namespace

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(StringRef Arch) {
  static const bool Initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)Initialised;
  constexpr StringLiteral Triple = "nvptx64-nvidia-cuda";
  std::string Why;
  const Target *Nvptx = TargetRegistry::lookupTarget(Triple, Why);
  if (!Nvptx)
    return createStringError(inconvertibleErrorCode(), Why.c_str());
  return std::unique_ptr<TargetMachine>(Nvptx->createTargetMachine(
      Triple, Arch, "+ptx83", TargetOptions(), Reloc::PIC_));
}

std::vector<Function *> kernelsOf(Module &M) {
  // Clang 19 gives kernels no calling convention of their own; the annotation
  // is the only mark.
  std::set<Function *> Marked;
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations"))
    for (MDNode *Node : Annotations->operands()) {
      if (Node->getNumOperands() < 2)
        continue;
      auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(1));
      if (Name && Name->getString() == "kernel")
        if (auto *F =
                mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)))
          Marked.insert(F);
    }
  std::vector<Function *> Kernels;
  for (Function &F : M)
    if (!F.isDeclaration() && Marked.count(&F))
      Kernels.push_back(&F);
  return Kernels;
}

void inlineIntoKernels(Module &M, TargetMachine &Machine) {
  M.setDataLayout(Machine.createDataLayout());
  demoteUnknownIntrinsics(M);
  const std::vector<Function *> Kernels = kernelsOf(M);
  const std::set<Function *> IsKernel(Kernels.begin(), Kernels.end());
  for (const char *Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M.getNamedGlobal(Name))
      Used->eraseFromParent();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
    F.setComdat(nullptr);
    if (IsKernel.count(&F)) {
      F.setLinkage(GlobalValue::ExternalLinkage); // template instances too
      continue;
    }
    F.addFnAttr(Attribute::AlwaysInline);
    F.setLinkage(GlobalValue::InternalLinkage);
  }
  PassRunner(Machine).run(M, "globaldce,always-inline,globaldce");
}

void canonicalise(Module &M, TargetMachine &Machine) {
  alignDynamicShared(M);
  for (Function &F : M)
    expandCopies(F);
  PassRunner(Machine).run(
      M, "function(nvvm-intr-range,infer-address-spaces,sroa<modify-cfg>,early-"
         "cse<memssa>,"
         "simplifycfg,instcombine<no-verify-fixpoint>,sroa<modify-cfg>,"
         "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
         "infer-address-spaces,loop-simplify,infer-alignment,load-store-"
         "vectorizer,adce)");
}

void optimise(Module &M, TargetMachine &Machine) {
  allowUnrolling(M);
  PassRunner(Machine).run(M, "default<O3>");
}

} // namespace warpwise::lowering
