//===- WarpReduction.cpp - Sums over the lanes of a warp ------------------===//

#include "analyzer/lowering/WarpReduction.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {

std::optional<WarpReduction> warpReduction(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->getName().starts_with("llvm.nvvm.redux.sync.") ||
      Call.arg_size() != 2)
    return std::nullopt;
  // All lanes are the mask as a rule, which tells the two orders apart.
  const auto *Last = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  const unsigned Mask = Last && Last->isMinusOne() ? 1 : 0;
  return WarpReduction{Call.getArgOperand(1 - Mask), Call.getArgOperand(Mask)};
}

} // namespace warpwise::lowering
