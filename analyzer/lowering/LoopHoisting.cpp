//===- LoopHoisting.cpp - LICM without vain promotion ---------------------===//

#include "analyzer/lowering/LoopHoisting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LICM.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// False only if \p Address changes from round to round.
bool mayStayTheSame(const Value *Address, const Loop &L) {
  SmallVector<const Value *, 8> Pending{Address};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isa<PHINode>(I))
      return false;
    Pending.append(I->value_op_begin(), I->value_op_end());
  }
  return true;
}

/// False only if LICM would promote nothing in \p L: a place that is stored to
/// in each round, and that no call of the loop may access.
bool mayPromote(const Loop &L, AAResults &Aliases) {
  SmallVector<const CallBase *, 4> Calls;
  SmallVector<const StoreInst *, 16> Stores;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const auto *Store = dyn_cast<StoreInst>(&I))
        Stores.push_back(Store);
      else if (const auto *Call = dyn_cast<CallBase>(&I);
               Call && Call->mayReadOrWriteMemory())
        Calls.push_back(Call);
  BatchAAResults Known(Aliases); // stores of one variable are asked for alike
  return any_of(Stores, [&](const StoreInst *Store) {
    return mayStayTheSame(Store->getPointerOperand(), L) &&
           none_of(Calls, [&](const CallBase *Call) {
             return isModOrRefSet(
                 Known.getModRefInfo(Call, MemoryLocation::get(Store)));
           });
  });
}

} // namespace

PreservedAnalyses LoopHoisting::run(Loop &L, LoopAnalysisManager &AM,
                                    LoopStandardAnalysisResults &Its,
                                    LPMUpdater &Updater) {
  LICMOptions Options;
  if (!mayPromote(L, Its.AA))
    Options.MssaNoAccForPromotionCap = 0;
  return LICMPass(Options).run(L, AM, Its, Updater);
}

} // namespace warpwise::lowering
