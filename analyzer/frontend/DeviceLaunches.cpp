//===- DeviceLaunches.cpp - Kernels launched by kernels -------------------===//

#include "analyzer/frontend/DeviceLaunches.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::frontend {

void removeDeviceLaunches(Module &Module) {
  const NamedMDNode *Annotations = Module.getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return;
  for (const MDNode *Node : Annotations->operands()) {
    if (Node->getNumOperands() < 2)
      continue;
    auto *Kind = dyn_cast<MDString>(Node->getOperand(1));
    auto *Kernel = mdconst::dyn_extract_or_null<Function>(Node->getOperand(0));
    if (!Kernel || !Kind || Kind->getString() != "kernel")
      continue;
    for (User *Use : make_early_inc_range(Kernel->users()))
      if (auto *Call = dyn_cast<CallInst>(Use);
          Call && Call->getCalledOperand() == Kernel)
        Call->eraseFromParent();
  }
}

} // namespace warpwise::frontend
