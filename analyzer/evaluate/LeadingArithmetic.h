//===- LeadingArithmetic.h - What says where accesses go --------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LEADINGARITHMETIC_H
#define WARPWISE_ANALYZER_EVALUATE_LEADINGARITHMETIC_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace warpwise::access {

/// The instructions of \p F of which nothing is used but where accesses go: the
/// divisions of "Out[i % Columns * Rows + i / Columns] = In[i]". A thread that
/// handles neighbouring elements with one access needs them once for all.
llvm::DenseSet<const llvm::Instruction *>
leadingArithmetic(const llvm::Function &F);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LEADINGARITHMETIC_H
