//===- PassRunner.h - LLVM's passes, set up once ----------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_PASSRUNNER_H
#define WARPWISE_ANALYZER_LOWERING_PASSRUNNER_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace warpwise::lowering {

/// How accesses to memory are told apart.
enum class Aliases {
  All,   ///< by all that LLVM and GridPointers know
  Spaces ///< by their address spaces only
};

/// A pass builder with its analysis managers, in the order in which they have
/// to be destroyed. What analyses have found is kept from run to run.
class PassRunner {
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager CallGraph;
  llvm::ModuleAnalysisManager Modules;
  llvm::PassInstrumentationCallbacks Callbacks;
  llvm::SmallVector<llvm::StringRef, 4> LeftOut;
  llvm::PassBuilder Builder;

public:
  /// For device code.
  explicit PassRunner(
      llvm::TargetMachine &Machine, Aliases Known = Aliases::All,
      llvm::PipelineTuningOptions Tuning = llvm::PipelineTuningOptions());
  /// For code that runs on the host, where a kernel's pointers lead anywhere.
  PassRunner();
  PassRunner(const PassRunner &) = delete;
  PassRunner &operator=(const PassRunner &) = delete;

  /// Leaves out the pass that the class \p Pass is.
  void leaveOut(llvm::StringLiteral Pass) { LeftOut.push_back(Pass); }
  /// Makes \p PassT, which a \p Manager runs, known to pipelines as \p Name.
  template <class Manager, class PassT> void add(llvm::StringLiteral Name) {
    Builder.registerPipelineParsingCallback(
        [Name](llvm::StringRef Wanted, Manager &Into,
               llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
          if (Wanted == Name)
            Into.addPass(PassT());
          return Wanted == Name;
        });
  }
  /// To add to the default pipeline.
  llvm::PassBuilder &builder() { return Builder; }

  void run(llvm::Module &M, llvm::StringRef Pipeline);
  void run(llvm::Function &F, llvm::StringRef Pipeline);
  /// Runs the default pipeline.
  void run(llvm::Module &M, llvm::OptimizationLevel Level);

private:
  void registerAnalyses();
};

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_PASSRUNNER_H
