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

namespace llvm {
class Value;
}

namespace warpwise::access {

/// What a value may be computed from, constants apart.
enum class Inputs {
  Arguments,         ///< of the kernel: the same in the whole launch
  ArgumentsAndIds,   ///< also the indices of the block and the launch's shape
  ArgumentsAndPlace, ///< also the index of the thread in its block
  /// Also what is loaded from where arguments, the numbers of the block and
  /// more of the kind lead: a table of what images there are.
  ArgumentsAndTables,
  /// Also the indices of the block and of the thread in it.
  PlaceAndTables
};

/// Whether \p V is computed from nothing but \p Of; unless the index of the
/// thread is among that, all threads of a block get the same (from tables: as
/// long as nothing is stored there). False says nothing.
bool isComputedFrom(const llvm::Value *V, Inputs Of);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_UNIFORMITY_H
