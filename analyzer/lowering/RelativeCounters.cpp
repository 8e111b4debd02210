//===- RelativeCounters.cpp - How far a loop has come ---------------------===//

#include "analyzer/lowering/RelativeCounters.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace warpwise::lowering {

/// Whether \p Difference counts the rounds of a loop from a constant on, which
/// is not what its operands do.
static bool isRelative(const BinaryOperator &Difference, ScalarEvolution &SE) {
  const auto isCounted = [&](const SCEV *S) {
    const auto *Count = dyn_cast<SCEVAddRecExpr>(S);
    return Count && Count->isAffine() && isa<SCEVConstant>(Count->getStart()) &&
           isa<SCEVConstant>(Count->getOperand(1));
  };
  const Value *From = Difference.getOperand(0), *By = Difference.getOperand(1);
  return Difference.getOpcode() == Instruction::Sub && !isa<Constant>(From) &&
         !isa<Constant>(By) && SE.isSCEVable(Difference.getType()) &&
         isCounted(SE.getSCEV(const_cast<BinaryOperator *>(&Difference))) &&
         !isCounted(SE.getSCEV(const_cast<Value *>(From)));
}

PreservedAnalyses RelativeCounters::run(Function &F,
                                        FunctionAnalysisManager &AM) {
  auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  const LoopInfo &Loops = AM.getResult<LoopAnalysis>(F);
  SmallVector<BinaryOperator *, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *Difference = dyn_cast<BinaryOperator>(&I))
      if (Loops.getLoopFor(I.getParent()) && isRelative(*Difference, SE))
        Found.push_back(Difference);
  if (Found.empty())
    return PreservedAnalyses::all();
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "count");
  for (BinaryOperator *Difference : Found) {
    Value *Count =
        Expander.expandCodeFor(SE.getSCEV(Difference), Difference->getType(),
                               Difference->getIterator());
    Difference->replaceAllUsesWith(Count);
    SE.forgetValue(Difference);
    Difference->eraseFromParent();
  }
  PreservedAnalyses Left;
  Left.preserveSet<CFGAnalyses>();
  return Left;
}

} // namespace warpwise::lowering
