//===- LoopUnrolling.cpp - Loops written out as a whole -------------------===//

#include "analyzer/lowering/LoopUnrolling.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace warpwise::lowering {

LoopAnalyses::LoopAnalyses(Function &F)
    : Tree(F), Loops(Tree), Assumptions(F),
      LibraryImpl(Triple(F.getParent()->getTargetTriple())),
      Library(LibraryImpl), Evolution(F, Library, Assumptions, Tree, Loops),
      Target(F.getDataLayout()) {}

bool LoopAnalyses::writeOut(Loop &L, unsigned Rounds) {
  simplifyLoop(&L, &Tree, &Loops, &Evolution, &Assumptions, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSARecursively(L, Tree, &Loops, &Evolution);
  UnrollLoopOptions How{};
  How.Count = Rounds;
  How.Force = true;
  How.AllowExpensiveTripCount = true;
  How.ForgetAllSCEV = false;
  return UnrollLoop(&L, How, &Loops, &Evolution, &Tree, &Assumptions, &Target,
                    nullptr,
                    /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
}

uint64_t lengthOf(const Loop &L) {
  uint64_t Length = 0;
  for (const BasicBlock *Block : L.blocks())
    Length += Block->sizeWithoutDebug();
  return Length;
}

} // namespace warpwise::lowering
