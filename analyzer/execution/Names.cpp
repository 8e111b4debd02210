//===- Names.cpp - Ours and the source's ----------------------------------===//

#include "analyzer/execution/Names.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::execution {

static constexpr StringLiteral SourcePrefix = "source.";

std::string symbolOf(StringRef Name) { return (SourcePrefix + Name).str(); }

StringRef sourceName(const GlobalValue &Value) {
  StringRef Name = Value.getName();
  Name.consume_front(SourcePrefix);
  return Name;
}

void moveNamesAway(Module &M) {
  for (GlobalValue &Value : M.global_values())
    if (!Value.getName().starts_with("llvm."))
      Value.setName(symbolOf(Value.getName()));
}

} // namespace warpwise::execution
