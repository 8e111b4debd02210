//===- AssemblyInputs.cpp - The values that inline PTX is handed ----------===//

#include "analyzer/lowering/AssemblyInputs.h"

#include "analyzer/lowering/PtxStatement.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {

AssemblyInputs::AssemblyInputs(const CallInst &Call, const InlineAsm &Assembly)
    : Call(Call) {
  for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints())
    Outputs += C.Type == InlineAsm::isOutput;
}

const Value *AssemblyInputs::named(StringRef Text) const {
  const std::optional<unsigned> Number = operandNumber(Text);
  if (!Number || *Number < Outputs || *Number - Outputs >= Call.arg_size())
    return nullptr;
  return Call.getArgOperand(*Number - Outputs);
}

std::optional<int64_t> AssemblyInputs::number(StringRef Text) const {
  if (const auto *Immediate = dyn_cast_or_null<ConstantInt>(named(Text)))
    return Immediate->getSExtValue();
  int64_t Written;
  return !operandNumber(Text) && !Text.getAsInteger(0, Written)
             ? std::optional(Written)
             : std::nullopt;
}

} // namespace warpwise::lowering
