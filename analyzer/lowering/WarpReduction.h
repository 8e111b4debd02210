//===- WarpReduction.h - Sums over the lanes of a warp ----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_WARPREDUCTION_H
#define WARPWISE_ANALYZER_LOWERING_WARPREDUCTION_H

#include <optional>

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace warpwise::lowering {

/// What redux.sync adds up, or makes the least of, and of which lanes.
struct WarpReduction {
  llvm::Value *Of, *Mask;
};

/// Nothing if \p Call is another call. LLVM's intrinsic has the mask last, and
/// the headers of Clang 19 hand it over first (__clang_cuda_intrinsics.h, where
/// __reduce_add_sync is defined): device code that comes by way of them adds up
/// masks, if it is taken at its word.
std::optional<WarpReduction> warpReduction(const llvm::CallInst &Call);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_WARPREDUCTION_H
