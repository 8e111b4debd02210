//===- DevicePipeline.cpp - The IR that accesses are read from ------------===//

#include "analyzer/lowering/DevicePipeline.h"

#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/DeviceLimits.h"
#include "analyzer/lowering/KnownIntrinsics.h"
#include "analyzer/lowering/LoopHoisting.h"
#include "analyzer/lowering/MathTables.h"
#include "analyzer/lowering/MemoryIntrinsics.h"
#include "analyzer/lowering/MergedStores.h"
#include "analyzer/lowering/PassRunner.h"
#include "analyzer/lowering/RelativeCounters.h"
#include "analyzer/lowering/SharedAtomics.h"
#include "analyzer/lowering/VectorLoads.h"
#include "analyzer/lowering/WrittenArguments.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

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

/// The shared variables that \p Kernel, into which everything is inlined, uses.
SmallPtrSet<const GlobalVariable *, 8>
sharedVariablesOf(const Function &Kernel) {
  SmallPtrSet<const GlobalVariable *, 8> Found;
  SmallPtrSet<const Constant *, 16> Seen;
  SmallVector<const Constant *, 16> Pending;
  auto note = [&](const Value *V) {
    if (auto *C = dyn_cast<Constant>(V); C && Seen.insert(C).second)
      Pending.push_back(C);
  };
  for (const Instruction &I : instructions(Kernel))
    for (const Value *Operand : I.operands())
      note(Operand);
  while (!Pending.empty()) {
    const Constant *C = Pending.pop_back_val();
    auto *Variable = dyn_cast<GlobalVariable>(C);
    if (Variable && Variable->getAddressSpace() == SharedSpace)
      Found.insert(Variable);
    if (!isa<GlobalValue>(C))
      for (const Value *Operand : C->operands())
        note(Operand);
  }
  return Found;
}

/// Tells shared variables the alignment that they really have, which is what
/// lets ptxas combine neighbouring accesses. Dynamic shared memory is aligned
/// to 16 bytes whatever its declared type. Static variables ptxas lays out in
/// the order of their declarations, each as it is declared, from an aligned
/// start: s[2 * t] and s[2 * t + 1] are one access in the first one, and in
/// another one if what is before it ends at the right place. In relocatable
/// device code (see frontend::ParseResult) the linker does that, and ptxas has
/// no more than what is declared. (Read off cubins of nvcc 13 for sm_90, two
/// arrays of many sizes.)
void alignShared(Module &M) {
  constexpr uint64_t Most = 16;
  const bool IsLaidOutLater = M.getModuleFlag("warpwise-relocatable");
  const DataLayout &Layout = M.getDataLayout();
  MapVector<GlobalVariable *, uint64_t> Known;
  for (const Function *Kernel : kernelsOf(M)) {
    const auto Used = sharedVariablesOf(*Kernel);
    uint64_t At = 0;
    for (GlobalVariable &Variable : M.globals()) {
      if (!Used.contains(&Variable))
        continue;
      if (Variable.isDeclaration()) {
        Known.insert({&Variable, Most});
        continue;
      }
      if (IsLaidOutLater)
        continue;
      At = alignTo(At, Variable.getAlign().value_or(
                           Layout.getABITypeAlign(Variable.getValueType())));
      const uint64_t Aligned = At == 0 ? Most : std::min(Most, At & (~At + 1));
      auto [Entry, New] = Known.insert({&Variable, Aligned});
      if (!New) // of another kernel, too
        Entry->second = std::min(Entry->second, Aligned);
      At += Layout.getTypeAllocSize(Variable.getValueType());
    }
  }
  for (const auto &[Variable, Aligned] : Known)
    if (Variable->getAlign().valueOrOne() < Aligned)
      Variable->setAlignment(Align(Aligned));
}

/// Assembly without side effects (cvt, fma) is arithmetic for ptxas, and no
/// access has to stay on its side of it. What combines accesses before it takes
/// none past it. (Read off PTX of nvcc 13.)
void passOverArithmetic(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Assembly =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Assembly || Assembly->hasSideEffects() || !Call->doesNotAccessMemory())
      continue;
    Call->addFnAttr(Attribute::WillReturn);
    Call->addFnAttr(Attribute::NoUnwind);
  }
}

/// Whether something is left to inline into \p Kernel.
bool callsDefined(const Function *Kernel) {
  return any_of(instructions(*Kernel), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && !Callee->isDeclaration();
  });
}

/// Keeps accesses outside of shared memory from being combined: what is aligned
/// to no more than a byte is not.
class ApartOutsideShared {
  /// Private ones may be combined all the same, and are gone then.
  std::vector<std::pair<WeakVH, Align>> Changed;

  static void setAlignment(Instruction &I, Align To) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setAlignment(To);
    else
      cast<StoreInst>(I).setAlignment(To);
  }

public:
  explicit ApartOutsideShared(Module &M) {
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (isa<LoadInst, StoreInst>(I) &&
            getLoadStoreAddressSpace(&I) != SharedSpace) {
          Changed.emplace_back(&I, getLoadStoreAlignment(&I));
          setAlignment(I, Align(1));
        }
  }
  ApartOutsideShared(const ApartOutsideShared &) = delete;
  ApartOutsideShared &operator=(const ApartOutsideShared &) = delete;
  ~ApartOutsideShared() {
    for (const auto &[I, Before] : Changed)
      if (I)
        setAlignment(*cast<Instruction>(I), Before);
  }
};

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
  emptyOversized(M);
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

void simplifyForLinking(Module &M, TargetMachine &Machine) {
  M.setDataLayout(Machine.createDataLayout());
  demoteUnknownIntrinsics(M);
  for (Function &F : M)
    if (!F.isDeclaration()) {
      F.removeFnAttr(Attribute::OptimizeNone);
      F.removeFnAttr(Attribute::NoInline);
      F.addFnAttr(Attribute::AlwaysInline);
    }
  PassRunner(Machine).run(
      M, "cgscc(inline<only-mandatory>,"
         "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg))");
}

void promoteScalars(Module &M, TargetMachine &Machine) {
  PassRunner(Machine).run(M, "function(mem2reg)");
}

/// Combines accesses to neighbours as nvcc's compiler does, before ptxas.
static void joinNeighbours(Module &M, TargetMachine &Machine) {
  PassRunner(Machine).run(M, "function(infer-alignment)");
  for (Function &F : M)
    loadMissingMembers(F);
  PassRunner(Machine).run(M, "function(load-store-vectorizer,adce)");
}

void canonicalise(Module &M, TargetMachine &Machine) {
  for (Function *Kernel : kernelsOf(M))
    copyWrittenArguments(*Kernel);
  // A function that is passed as a pointer is known once variables are in
  // registers; what it calls in turn, a round later.
  constexpr unsigned MostRounds = 4;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    PassRunner(Machine).run(M, "function(mem2reg)");
    for (Function &F : M)
      expandMemoryIntrinsics(F);
    PassRunner(Machine).run(M, "function(infer-address-spaces,sroa<modify-cfg>,"
                               "early-cse<memssa>,simplifycfg)");
    if (none_of(kernelsOf(M), callsDefined))
      break;
    PassRunner(Machine).run(M, "always-inline,globaldce");
  }
  // InstCombine would, too, but not where one address has two names, and it
  // forgets where the stores stood.
  for (Function &F : M)
    mergeStoresOfArms(F);
  // InstCombine moves loads behind the branches that ask for them, where their
  // neighbours are out of sight; and what it simplifies shows others.
  joinNeighbours(M, Machine);
  PassRunner(Machine).run(
      M, "function(instcombine<no-verify-fixpoint>,sroa<modify-cfg>,"
         "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
         "infer-address-spaces,loop-simplify)");
  joinNeighbours(M, Machine);
  // Where shared variables lie is known to ptxas alone, which combines accesses
  // only if no access of the other kind to shared memory stands between them,
  // wherever that goes. (Read off cubins of nvcc 13 for sm_90: "a[0] += 1;
  // a[1] += 1;" is four accesses for floats, and two for the members of a
  // float2, which are combined before ptxas.)
  alignShared(M);
  PassRunner(Machine).run(M, "function(infer-alignment)");
  for (Function &F : M)
    passOverArithmetic(F);
  {
    const ApartOutsideShared Rest(M);
    PassRunner(Machine, Aliases::Spaces)
        .run(M, "function(load-store-vectorizer)");
  }
  PassRunner Last(Machine);
  Last.add<FunctionPassManager, RelativeCounters>("relative-counters");
  Last.run(M, "function(relative-counters,adce)");
  for (Function &F : M) {
    separateTableStores(F);
    loadWhatIsUsed(F);
    showEmulatedAtomics(F);
    showMathTables(F);
  }
}

static bool holdsStructure(const Type *T) {
  if (const auto *Array = dyn_cast<ArrayType>(T))
    return holdsStructure(Array->getElementType());
  return isa<StructType>(T);
}

void foldConstants(ArrayRef<Function *> Kernels, TargetMachine &Machine) {
  PassRunner Passes(Machine);
  for (Function *F : Kernels) {
    // Copies of the padding of structures keep these in memory, too. Without
    // any it would be for nothing that thousands of stores to an array are
    // compared with each other, and with some those go first that SROA removes.
    const bool MayHavePadding =
        any_of(instructions(*F), [](const Instruction &I) {
          const auto *Variable = dyn_cast<AllocaInst>(&I);
          return Variable && holdsStructure(Variable->getAllocatedType());
        });
    Passes.run(*F, "early-cse,simplifycfg,sroa<modify-cfg>");
    if (MayHavePadding)
      Passes.run(*F, "memcpyopt,dse,sroa<modify-cfg>");
    Passes.run(*F, "instcombine<no-verify-fixpoint>,simplifycfg");
  }
}

void foldWrittenOut(Module &M, TargetMachine &Machine) {
  // InstCombine would fold more, but keeps some loads, too.
  PassRunner(Machine).run(M, "function(instsimplify,simplifycfg,instsimplify,"
                             "simplifycfg,loop-simplify,lcssa,"
                             "loop(loop-rotate))");
}

void mergeAccesses(Module &M, TargetMachine &Machine) {
  PassRunner Passes(Machine);
  Passes.add<LoopPassManager, LoopHoisting>("hoist");
  Passes.run(M, "function(early-cse<memssa>,loop-simplify,lcssa,"
                "loop-mssa(hoist),gvn<no-pre;no-load-pre>,dse,adce)");
}

} // namespace warpwise::lowering
