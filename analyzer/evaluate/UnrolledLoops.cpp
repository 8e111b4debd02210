//===- UnrolledLoops.cpp - Loops that the compiler writes out -------------===//

#include "analyzer/evaluate/UnrolledLoops.h"

#include "analyzer/evaluate/Instructions.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace warpwise::access {
namespace {

/// nvcc 13 writes loops with one load in them out up to 96 rounds, and longer
/// ones in parts.
constexpr unsigned MaxRounds = 96;

bool letsMemoryChange(const Instruction &I) {
  if (I.isAtomic())
    return true;
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && isBarrier(*Call);
}

} // namespace

DenseMap<const Loop *, unsigned>
unrolledLoops(Function &F, DominatorTree &Dominators, llvm::LoopInfo &Loops) {
  DenseMap<const Loop *, unsigned> Found;
  if (Loops.empty())
    return Found;
  AssumptionCache Assumptions(F);
  TargetLibraryInfoImpl Library{Triple(F.getParent()->getTargetTriple())};
  TargetLibraryInfo Functions(Library);
  ScalarEvolution Evolution(F, Functions, Assumptions, Dominators, Loops);
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    // The header runs once more than the body.
    const unsigned Rounds = Evolution.getSmallConstantTripCount(L);
    if (Rounds > 0 && Rounds <= MaxRounds + 1 &&
        none_of(L->blocks(), [](const BasicBlock *Block) {
          return any_of(*Block, letsMemoryChange);
        }))
      Found[L] = Rounds;
  }
  return Found;
}

} // namespace warpwise::access
