//===- TensorTiles.h - Where tensor copies put their tiles ------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_TENSORTILES_H
#define WARPWISE_ANALYZER_LOWERING_TENSORTILES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace warpwise::lowering {

/// The arrays of shared memory whose address is handed to an instruction that
/// copies a tile of a tensor (cp.async.bulk.tensor, compute capability 9.0 and
/// later). Such a tile lies as the tensor's map says (PTX ISA 8.0, "Tensors"):
/// one row right after the other, or swizzled, and never with room between.
llvm::SmallPtrSet<const llvm::GlobalVariable *, 4>
tensorTiles(const llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_TENSORTILES_H
