//===- LaneShape.h - Which lanes have to run --------------------*- C++ -*-===//
//
// Proves that the addresses of a slice are affine in the lane, as long as a few
// witnesses are: the outcome of comparisons and the quotients of divisions.
// A witness is monotone in the lane, so when the first, second and last lane of
// a row agree on it, all lanes between them do. Three lanes then tell what all
// of them access.
//
// The same is proved of one lane in many blocks, where witnesses have to be
// equal: each value of a witness stands for a half or a slab of the space of
// what is compared, which is affine in the block's index. So when the corners
// of a box of blocks agree, all blocks in it do.
//
// Both hold for whole numbers. What a witness depends on must not wrap around;
// where it may, the slice checks that it does not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LANECODE_LANESHAPE_H
#define WARPWISE_ANALYZER_REUSE_LANECODE_LANESHAPE_H

namespace llvm {
class Function;
}

namespace warpwise::reuse {

/// The position of all witnesses until positions are given out.
inline constexpr unsigned WitnessPosition = 0;

/// What is affine, when the witnesses allow it.
struct AffineShapes {
  bool Rows = false;   ///< the lanes of a row
  bool Blocks = false; ///< one lane in all blocks
};

/// Adds to the slice \p F the events for its witnesses, and for numbers that
/// wrap around, which no two neighbours have alike. False is what has
/// addresses or branches for which there is no such proof.
AffineShapes addWitnesses(llvm::Function &F);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LANECODE_LANESHAPE_H
