//===- Uniformity.h - Values that threads have in common --------*- C++ -*-===//
//
// Told from the instructions alone, without evaluating anything: what is
// computed from constants, arguments and the numbers of a block is the same in
// every thread that computes it, and what is computed from the thread's own
// numbers, too, says where in the grid it is.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_UNIFORMITY_H
#define WARPWISE_ANALYZER_EVALUATE_UNIFORMITY_H

#include "llvm/ADT/BitmaskEnum.h"

namespace llvm {
class Value;
}

namespace warpwise::access {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// What a value may be computed from, constants and the kernel's arguments
/// apart, which always may.
enum class Inputs {
  Arguments = 0, ///< nothing else: the same in the whole launch
  BlockIds = 1,  ///< the indices of the block and the launch's shape
  ThreadIds = 2, ///< the index of the thread in its block
  /// What is loaded from where arguments, the numbers of the block and more of
  /// the kind lead: a table of what images there are.
  Tables = 4,
  Place = BlockIds | ThreadIds, ///< where in the grid the thread is
  LLVM_MARK_AS_BITMASK_ENUM(Tables)
};

/// Whether \p V is computed from nothing but \p Of; unless the index of the
/// thread is among that, all threads of a block get the same (from tables: as
/// long as nothing is stored there). False says nothing.
bool isComputedFrom(const llvm::Value *V, Inputs Of);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNIFORMITY_H
