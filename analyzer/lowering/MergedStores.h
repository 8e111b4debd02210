//===- MergedStores.h - Stores that end the arms of a branch ----*- C++ -*-===//
//
// Where the arms of a branch end with stores to one place, nvcc makes one store
// of them, behind the branch: a request of all lanes, under the line of any of
// the arms. Read off cubins and PTX of nvcc 13 for sm_90.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_MERGEDSTORES_H
#define WARPWISE_ANALYZER_LOWERING_MERGEDSTORES_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DILocation;
class Function;
class Instruction;
} // namespace llvm

namespace warpwise::lowering {

/// Merges the last stores of all blocks that lead to one block and nowhere
/// else, when they write a scalar of one type to an address that is computed
/// before the branch. Where another way leads to that block, such as around an
/// enclosing `if`, nvcc keeps them apart. It does so, too, where one of the
/// arms has to compute the address anew, unless the arms do nothing but
/// arithmetic.
void mergeStoresOfArms(llvm::Function &F);

/// Where the source has the access that \p I is: one location for most, those
/// of all arms for one that was merged. Last of loads that were merged is the
/// one that nvcc's line table has then.
llvm::SmallVector<const llvm::DILocation *, 2>
locationsOf(const llvm::Instruction &I);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_MERGEDSTORES_H
