//===- GridPointers.h - What kernels are given is not shared ----*- C++ -*-===//
//
// A kernel's arguments are the host's, and the host knows no shared address. So
// a store to shared memory changes nothing that they point to, and what was
// loaded before stays in its register: nvcc knows that, LLVM does not, since in
// its IR these pointers have no address space (read off cubins of nvcc 13 for
// sm_90). The same goes for pointers in memory that the whole grid sees, as
// long as the kernel writes no other ones there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_GRIDPOINTERS_H
#define WARPWISE_ANALYZER_LOWERING_GRIDPOINTERS_H

#include "llvm/Analysis/AliasAnalysis.h"

namespace warpwise::lowering {

class GridPointersResult : public llvm::AAResultBase {
public:
  /// \p F: with everything inlined. Of what is no kernel, arguments may be
  /// anything.
  explicit GridPointersResult(llvm::Function &F);

  llvm::AliasResult alias(const llvm::MemoryLocation &A,
                          const llvm::MemoryLocation &B,
                          llvm::AAQueryInfo &Query,
                          const llvm::Instruction *Context);
  // No pass makes a kernel write more pointers.
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
                  llvm::FunctionAnalysisManager::Invalidator &) {
    return false;
  }

private:
  bool IsKernel, Publishes;
};

/// To be told to a pass builder's AAManager.
class GridPointers : public llvm::AnalysisInfoMixin<GridPointers> {
  friend llvm::AnalysisInfoMixin<GridPointers>;
  static llvm::AnalysisKey Key;

public:
  using Result = GridPointersResult;
  static Result run(llvm::Function &F, llvm::FunctionAnalysisManager &) {
    return Result(F);
  }
  /// Makes the passes that \p Functions is for ask this, too. Call it before
  /// other analyses are registered.
  static void registerWith(llvm::FunctionAnalysisManager &Functions,
                           llvm::AAManager Usual);
};

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_GRIDPOINTERS_H
