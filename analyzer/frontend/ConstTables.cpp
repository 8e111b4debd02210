//===- ConstTables.cpp - const variables of device code -------------------===//

#include "analyzer/frontend/ConstTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace warpwise::frontend {
namespace {

constexpr unsigned GlobalSpace = 1, ConstantSpace = 4;

/// Lets the users of the constant-space pointer \p Old have the global one.
/// Code only ever has generic pointers made of it.
void replaceUses(Constant &Old, Constant &New) {
  for (User *U : to_vector(Old.users())) {
    auto *Expression = dyn_cast<ConstantExpr>(U);
    if (!Expression)
      continue;
    if (Expression->getOpcode() == Instruction::AddrSpaceCast) {
      Expression->replaceAllUsesWith(
          Expression->getType()->getPointerAddressSpace() == GlobalSpace
              ? &New
              : ConstantExpr::getAddrSpaceCast(&New, Expression->getType()));
    } else if (auto *Address = dyn_cast<GEPOperator>(Expression)) {
      SmallVector<Constant *, 4> Indices;
      for (Value *Index : Address->indices())
        Indices.push_back(cast<Constant>(Index));
      replaceUses(*Expression, *ConstantExpr::getGetElementPtr(
                                   Address->getSourceElementType(), &New,
                                   Indices, Address->getNoWrapFlags()));
    }
  }
  Old.removeDeadConstantUsers();
  if (!Old.use_empty()) // an initial value of another variable, say
    Old.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(
        ConstantExpr::getAddrSpaceCast(
            &New, PointerType::get(New.getContext(), /*AddressSpace=*/0)),
        Old.getType()));
}

} // namespace

void moveConstTables(Module &Module,
                     function_ref<bool(const GlobalVariable &)> SaysConstant) {
  for (GlobalVariable &Old : make_early_inc_range(Module.globals())) {
    if (Old.getAddressSpace() != ConstantSpace || SaysConstant(Old))
      continue;
    auto *New = new GlobalVariable(
        Module, Old.getValueType(), Old.isConstant(), Old.getLinkage(),
        Old.hasInitializer() ? Old.getInitializer() : nullptr, "", &Old,
        Old.getThreadLocalMode(), GlobalSpace, Old.isExternallyInitialized());
    New->copyAttributesFrom(&Old);
    New->copyMetadata(&Old, 0);
    New->takeName(&Old);
    replaceUses(Old, *New);
    Old.eraseFromParent();
  }
}

} // namespace warpwise::frontend
