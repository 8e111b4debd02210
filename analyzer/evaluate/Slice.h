//===- Slice.h - The instructions that decide addresses ---------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_SLICE_H
#define WARPWISE_ANALYZER_EVALUATE_SLICE_H

#include "analyzer/lowering/MemoryInstructions.h"

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace warpwise::access {

using lowering::MemoryReference;
using lowering::memoryReference;

/// What of a function has to be run.
struct AddressSlice {
  /// The instructions from which an address or a branch is computed, including
  /// loads (their result matters, or they are accesses themselves) and the
  /// stores into private arrays that such a load reads.
  llvm::DenseSet<const llvm::Instruction *> Instructions;
  /// Accesses among them whose result goes into nothing of that.
  llvm::DenseSet<const llvm::Instruction *> ResultsUnused;
};
AddressSlice addressSlice(llvm::Function &F);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_SLICE_H
