//===- LaunchBounds.cpp - What a kernel is compiled for -------------------===//

#include "analyzer/lowering/LaunchBounds.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::lowering {

LaunchBounds launchBoundsOf(const Function &Kernel) {
  LaunchBounds Bounds;
  const NamedMDNode *All =
      Kernel.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned I = 0; All && I != All->getNumOperands(); ++I) {
    const MDNode *Node = All->getOperand(I);
    if (Node->getNumOperands() < 3 ||
        mdconst::dyn_extract_or_null<Function>(Node->getOperand(0)) != &Kernel)
      continue;
    for (unsigned N = 1; N + 1 < Node->getNumOperands(); N += 2) {
      const auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(N));
      const auto *Number =
          mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(N + 1));
      if (!Name || !Number)
        continue;
      const uint64_t Value = Number->getLimitedValue(1 << 20);
      if (Name->getString().starts_with("maxntid")) // x, y and z
        Bounds.Threads = Bounds.Threads.value_or(1) * Value;
      else if (Name->getString() == "minctasm")
        Bounds.Blocks = Value;
    }
  }
  return Bounds;
}

} // namespace warpwise::lowering
