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

/// The threads of a block or the blocks of a grid.
bool isExtent(Preset::Kind Which) {
  using Kind = Preset::Kind;
  return (Which >= Kind::NtidX && Which <= Kind::NtidZ) ||
         (Which >= Kind::NctaidX && Which <= Kind::NctaidZ);
}

/// Whether \p V is computed from the threads of a block or the blocks of a
/// grid.
bool hangsOnLaunch(const Value *V) {
  constexpr unsigned Deepest = 8;
  SmallVector<std::pair<const Value *, unsigned>, 8> Pending{{V, 0}};
  while (!Pending.empty()) {
    const auto [Next, Depth] = Pending.pop_back_val();
    const auto *I = dyn_cast<Instruction>(Next);
    if (!I || Depth == Deepest || isa<PHINode>(I) || I->mayReadFromMemory())
      continue;
    const auto *Call = dyn_cast<CallInst>(I);
    if (const auto Which = Call ? specialRegister(*Call) : std::nullopt;
        Which && isExtent(*Which))
      return true;
    for (const Value *Operand : I->operands())
      Pending.push_back({Operand, Depth + 1});
  }
  return false;
}

/// nvcc 13 does not write out a loop whose counter grows by what the launch
/// says, "I += blockDim.x", though it does one whose step is an argument, nor
/// one that has a second way out. (Read off cubins: ten loops of the first
/// kind, 1 load each, 5 where the step is an argument.)
bool isLeftAsItIs(const Loop &L) {
  if (hasUnrollTransformation(&L) & TM_Enable)
    return false;
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getExitingBlock())
    return true;
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    const auto *Next =
        dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
    return Next && Phi.getType()->isIntOrPtrTy() &&
           is_contained(Next->operands(), &Phi) &&
           any_of(Next->operands(), [&](const Use &Step) {
             return Step != &Phi && hangsOnLaunch(Step);
           });
  });
}

bool letsMemoryChange(const Instruction &I) {
  return I.isAtomic() || isBarrier(I);
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
    if (const auto Asked =
            getOptionalIntLoopAttribute(L, "llvm.loop.unroll.count")) {
      // #pragma unroll 4: so many at a time, be they few in all or not.
      if (Rounds == 0 || unsigned(*Asked) < Rounds - 1) {
        Found.Parts[L] = unsigned(std::max(1, *Asked));
        continue;
      }
    }
    if (Rounds == 0 && isLeftAsItIs(*L)) {
      Found.Parts[L] = 1;
      continue;
    }
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
