//===- PassRunner.cpp - LLVM's passes, set up once ------------------------===//

#include "analyzer/lowering/PassRunner.h"

#include "analyzer/lowering/FieldAliases.h"
#include "analyzer/lowering/GridPointers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace warpwise::lowering {

/// What LLVM's default is but for types, which tell nvcc next to nothing.
static AAManager aliasesWithoutTypes() {
  AAManager Usual;
  Usual.registerFunctionAnalysis<BasicAA>();
  Usual.registerFunctionAnalysis<ScopedNoAliasAA>();
  Usual.registerModuleAnalysis<GlobalsAA>();
  return Usual;
}

PassRunner::PassRunner(TargetMachine &Machine, Aliases Known,
                       PipelineTuningOptions Tuning)
    : Builder(&Machine, Tuning, std::nullopt, &Callbacks) {
  AAManager Usual;
  if (Known == Aliases::All) {
    Usual = aliasesWithoutTypes();
    Functions.registerPass([] { return FieldAliases(); });
    Usual.registerFunctionAnalysis<FieldAliases>();
  }
  Machine.registerDefaultAliasAnalyses(Usual);
  GridPointers::registerWith(Functions, std::move(Usual));
  registerAnalyses();
}

PassRunner::PassRunner()
    : Builder(nullptr, PipelineTuningOptions(), std::nullopt, &Callbacks) {
  Functions.registerPass([] { return aliasesWithoutTypes(); });
  registerAnalyses();
}

void PassRunner::registerAnalyses() {
  // It would tell the user that a loop was not unrolled.
  leaveOut("WarnMissedTransformationsPass");
  Callbacks.registerShouldRunOptionalPassCallback(
      [this](StringRef Pass, const Any &) {
        return !is_contained(LeftOut, Pass);
      });
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(CallGraph);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, CallGraph, Modules);
}

void PassRunner::run(Module &M, StringRef Pipeline) {
  ModulePassManager Passes;
  cantFail(Builder.parsePassPipeline(Passes, Pipeline));
  Passes.run(M, Modules);
}

void PassRunner::run(Function &F, StringRef Pipeline) {
  FunctionPassManager Passes;
  cantFail(Builder.parsePassPipeline(Passes, Pipeline));
  Passes.run(F, Functions);
}

void PassRunner::run(Module &M, OptimizationLevel Level) {
  Builder.buildPerModuleDefaultPipeline(Level).run(M, Modules);
}

} // namespace warpwise::lowering
