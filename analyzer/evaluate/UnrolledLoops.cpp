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
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {
namespace {

/// nvcc 13 writes loops with one load in them out up to 96 rounds, and longer
/// ones in parts.
constexpr unsigned MaxRounds = 96;

/// Of those it writes out as many rounds as divide their number, 16 at most
/// where that is a power of two (read off cubins of nvcc 13: 128 to 8192
/// rounds; 1000 come in parts of 40, for which this says 10), and no more than
/// LLVM's limit of instructions for a part (PartialThreshold) has room for.
constexpr unsigned MaxPart = 16, MostInstructions = 150;

unsigned lengthOf(const Loop &L) {
  unsigned Length = 1;
  for (const BasicBlock *Block : L.blocks())
    Length += unsigned(Block->sizeWithoutDebug());
  return Length;
}

/// With #pragma unroll it writes out all rounds up to LLVM's limit of
/// instructions (PragmaUnrollThreshold).
bool isForced(const Loop &L, unsigned Rounds) {
  constexpr uint64_t MostAsked = 16384;
  return hasUnrollTransformation(&L) == TM_ForcedByUser &&
         !getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count") &&
         uint64_t(Rounds) * lengthOf(L) <= MostAsked;
}

/// Of \p L, whose header runs \p Runs times.
unsigned partOf(const Loop &L, unsigned Runs) {
  // Where the header decides it runs once more than the body.
  const unsigned Rounds =
      L.getLoopLatch() && L.isLoopExiting(L.getLoopLatch()) ? Runs : Runs - 1;
  unsigned Part = std::clamp(MostInstructions / lengthOf(L), 1u, MaxPart);
  while (Rounds % Part != 0)
    --Part;
  return Part;
}

bool letsMemoryChange(const Instruction &I) {
  if (I.isAtomic())
    return true;
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && isBarrier(*Call);
}

} // namespace

UnrolledLoops unrolledLoops(Function &F, DominatorTree &Dominators,
                            llvm::LoopInfo &Loops) {
  UnrolledLoops Found;
  if (Loops.empty())
    return Found;
  AssumptionCache Assumptions(F);
  TargetLibraryInfoImpl Library{Triple(F.getParent()->getTargetTriple())};
  TargetLibraryInfo Functions(Library);
  ScalarEvolution Evolution(F, Functions, Assumptions, Dominators, Loops);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (hasUnrollTransformation(L) & TM_Disable) {
      Found.Parts[L] = 1; // as the source says: #pragma unroll 1
      continue;
    }
    // The header runs once more than the body.
    const unsigned Rounds = Evolution.getSmallConstantTripCount(L);
    if (Rounds == 0 || any_of(L->blocks(), [](const BasicBlock *Block) {
          return any_of(*Block, letsMemoryChange);
        }))
      continue;
    if (Rounds <= MaxRounds + 1 || isForced(*L, Rounds))
      Found.Whole[L] = Rounds;
    else if (L->isInnermost())
      Found.Parts[L] = partOf(*L, Rounds);
  }
  return Found;
}

} // namespace warpwise::access
