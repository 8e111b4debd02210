//===- StaticShared.cpp - Shared memory with a fixed size -----------------===//

#include "analyzer/lowering/StaticShared.h"

#include "analyzer/lowering/AddressSpaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warpwise::lowering {

/// Whether \p Kernel uses \p V, which may be through constant expressions.
static bool uses(const Function &Kernel, const Constant &V) {
  return any_of(V.users(), [&](const User *U) {
    if (const auto *I = dyn_cast<Instruction>(U))
      return I->getFunction() == &Kernel;
    const auto *C = dyn_cast<ConstantExpr>(U);
    return C && uses(Kernel, *C);
  });
}

uint64_t staticSharedBytes(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  const DataLayout &Layout = M.getDataLayout();
  uint64_t Bytes = 0;
  for (const GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == SharedSpace && !V.isDeclaration() &&
        uses(Kernel, V))
      Bytes = alignTo(Bytes, Layout.getPreferredAlign(&V)) +
              Layout.getTypeAllocSize(V.getValueType()).getFixedValue();
  return Bytes;
}

} // namespace warpwise::lowering
