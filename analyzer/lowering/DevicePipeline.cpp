//===- DevicePipeline.cpp - The IR that accesses are read from ------------===//

#include "analyzer/lowering/DevicePipeline.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
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
  PassBuilder Builder;

public:
  explicit PassRunner(TargetMachine &Machine) : Builder(&Machine) {
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

bool isVectorSize(uint64_t Bytes) { return Bytes == 8 || Bytes == 16; }

/// A float4 copied as a whole arrives as a 16-byte memcpy. SROA would split it
/// and drop the members that nobody reads, but nvcc keeps ld.v4. So make the
/// memcpy a vector load and store first.
void keepVectorCopiesWhole(Function &F) {
  SmallVector<MemCpyInst *, 16> Copies;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Copy = dyn_cast<MemCpyInst>(&I))
        Copies.push_back(Copy);
  for (MemCpyInst *Copy : Copies) {
    auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    if (!Length || Copy->isVolatile() || !isVectorSize(Length->getZExtValue()))
      continue;
    const uint64_t Bytes = Length->getZExtValue();
    const Align From = Copy->getSourceAlign().valueOrOne();
    const Align To = Copy->getDestAlign().valueOrOne();
    if (From.value() < Bytes || To.value() < Bytes)
      continue;
    IRBuilder<> Builder(Copy);
    auto *Type = FixedVectorType::get(Builder.getInt32Ty(), Bytes / 4);
    Value *Loaded =
        Builder.CreateAlignedLoad(Type, Copy->getRawSource(), From);
    Builder.CreateAlignedStore(Loaded, Copy->getRawDest(), To);
    Copy->eraseFromParent();
  }
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
        if (auto *F = mdconst::dyn_extract_or_null<Function>(
                Node->getOperand(0)))
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
  for (Function &F : M)
    keepVectorCopiesWhole(F);
  PassRunner(Machine).run(
      M, "function(infer-address-spaces,sroa<modify-cfg>,early-cse<memssa>,"
         "simplifycfg,instcombine<no-verify-fixpoint>,sroa<modify-cfg>,"
         "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
         "infer-address-spaces,loop-simplify,load-store-vectorizer,adce)");
}

void optimise(Module &M, TargetMachine &Machine) {
  allowUnrolling(M);
  PassRunner(Machine).run(M, "default<O3>");
}

} // namespace warpwise::lowering
