//===- TracePipeline.cpp - Kernels as nvcc would compile them -------------===//

#include "analyzer/reuse/lanecode/TracePipeline.h"

#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/ExpandCalls.h"
#include "analyzer/lowering/PassRunner.h"
#include "analyzer/lowering/SurvivingArrays.h"
#include "analyzer/reuse/lanecode/WaitLoops.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include <set>

using namespace llvm;

namespace warpwise::reuse {
namespace {

/// Asks for innermost loops to be unrolled as nvcc does it: what one of the
/// four rounds stores or loads, the next ones have in registers.
struct MarkForUnrolling : PassInfoMixin<MarkForUnrolling> {
  static PreservedAnalyses run(Loop &L, LoopAnalysisManager &,
                               LoopStandardAnalysisResults &, LPMUpdater &) {
    constexpr unsigned Rounds = 4;
    if (L.isInnermost())
      addStringMetadataToLoop(&L, "llvm.loop.unroll.count", Rounds);
    return PreservedAnalyses::all();
  }
};

/// LLVM sees that `Out[i] = In[i]` cannot change In[i], whatever Out is, and
/// keeps what it loaded; nvcc loads again. So LLVM must not see that what is
/// stored was loaded.
void hideCopies(Function &Kernel) {
  for (Instruction &I : instructions(Kernel)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *Load = Store ? dyn_cast<LoadInst>(Store->getValueOperand()) : nullptr;
    if (Load && Load->getPointerOperand() != Store->getPointerOperand())
      Store->setOperand(0, new FreezeInst(Load, "", Store->getIterator()));
  }
}

/// The end of that, before stores of several blocks are joined.
struct ShowCopies : PassInfoMixin<ShowCopies> {
  static PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Hidden = dyn_cast<FreezeInst>(&I);
          Hidden && isa<LoadInst>(Hidden->getOperand(0))) {
        Hidden->replaceAllUsesWith(Hidden->getOperand(0));
        Hidden->eraseFromParent();
      }
    return PreservedAnalyses::none();
  }
};

void optimise(Module &M, TargetMachine &Machine) {
  PipelineTuningOptions Options;
  Options.LoopUnrolling = false;
  Options.LoopInterleaving = false;
  Options.LoopVectorization = false;
  Options.SLPVectorization = false;
  lowering::PassRunner Runner(Machine, lowering::Aliases::All, Options);
  // nvcc carries no loaded value from one round to the next.
  Runner.leaveOut("LoopLoadEliminationPass");
  // Sums in another order hide that this round's address is the last's.
  Runner.leaveOut("ReassociatePass");
  // Takes vector loads apart.
  Runner.leaveOut("VectorCombinePass");
  Runner.builder().registerVectorizerStartEPCallback(
      [](FunctionPassManager &Passes, OptimizationLevel) {
        Passes.addPass(createFunctionToLoopPassAdaptor(MarkForUnrolling()));
        Passes.addPass(LoopUnrollPass(
            LoopUnrollOptions(2, /*OnlyWhenForced=*/true).setRuntime(true)));
        Passes.addPass(InstCombinePass());
        Passes.addPass(GVNPass(GVNOptions().setLoadPRE(false)));
        Passes.addPass(ShowCopies());
      });
  // Short loops with a constant number of rounds do go, since private arrays
  // get into registers that way.
  Runner.builder().registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &Passes, OptimizationLevel) {
        Passes.addPass(LoopFullUnrollPass());
      });
  Runner.run(M, OptimizationLevel::O2);
}

std::vector<AllocaInst *> privateVariables(Module &M) {
  std::vector<AllocaInst *> Found;
  for (Function *Kernel : lowering::kernelsOf(M))
    for (Instruction &I : instructions(*Kernel))
      if (auto *Slot = dyn_cast<AllocaInst>(&I))
        Found.push_back(Slot);
  return Found;
}

/// Arrays that full optimisation, with unrolling, does not remove either are
/// those that live in local memory.
void nameLocalArrays(Module &M, TargetMachine &Machine) {
  if (!lowering::hasPrivateArrays(M))
    return;
  // Parts of a variable keep its name and get one more word.
  const std::vector<AllocaInst *> Variables = privateVariables(M);
  for (size_t N = 0; N != Variables.size(); ++N)
    Variables[N]->setName("private" + Twine(N) + ".");
  const std::unique_ptr<Module> Unrolled = lowering::unrolledClone(M, Machine);
  std::set<std::string> InMemory;
  for (const AllocaInst *Left : privateVariables(*Unrolled))
    InMemory.insert(Left->getName().split('.').first.str());
  for (size_t N = 0; N != Variables.size(); ++N)
    if (InMemory.count("private" + std::to_string(N)))
      Variables[N]->setName(LocalArray + Twine(N));
}

} // namespace

std::unique_ptr<Module> optimiseForTrace(const Module &M, StringRef Kernel,
                                         TargetMachine &Machine) {
  // Clang's contexts drop names, which mark the arrays.
  M.getContext().setDiscardValueNames(false);
  std::unique_ptr<Module> Copy = CloneModule(M);
  bool Found = false;
  for (Function *F : lowering::kernelsOf(*Copy))
    if (F->getName() == Kernel)
      Found = true;
    else
      F->deleteBody();
  if (!Found)
    return nullptr;
  lowering::canonicalise(*Copy, Machine);
  lowering::expandMemoryCalls(*Copy->getFunction(Kernel));
  endWaitLoops(*Copy->getFunction(Kernel));
  hideCopies(*Copy->getFunction(Kernel));
  optimise(*Copy, Machine);
  nameLocalArrays(*Copy, Machine);
  return Copy;
}

} // namespace warpwise::reuse
