//===- AssemblyInputs.h - The values that inline PTX is handed --*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_ASSEMBLYINPUTS_H
#define WARPWISE_ANALYZER_LOWERING_ASSEMBLYINPUTS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace llvm {
class CallInst;
class InlineAsm;
class Value;
} // namespace llvm

namespace warpwise::lowering {

class AssemblyInputs {
public:
  AssemblyInputs(const llvm::CallInst &Call, const llvm::InlineAsm &Assembly);

  /// What "$1" names, or null.
  const llvm::Value *named(llvm::StringRef Text) const;
  /// "$1", where that is a constant, or "16".
  std::optional<int64_t> number(llvm::StringRef Text) const;

private:
  const llvm::CallInst &Call;
  unsigned Outputs = 0; ///< are numbered first
};

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_ASSEMBLYINPUTS_H
