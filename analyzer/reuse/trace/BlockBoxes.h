//===- BlockBoxes.h - Blocks that their neighbours tell ---------*- C++ -*-===//
//
// Where the addresses of a lane are affine in the block's index, as long as it
// takes the same path, the corners of a box of blocks tell all blocks in it: a
// warp of a block in the middle does the same as that of a corner, at addresses
// that lie as far away as the index says. It does not run at all.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_BLOCKBOXES_H
#define WARPWISE_ANALYZER_REUSE_TRACE_BLOCKBOXES_H

#include "analyzer/reuse/trace/WarpModels.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpwise::reuse {

/// The boxes of a launch, for each warp of a block.
class BlockBoxes {
public:
  /// Both outlive this.
  BlockBoxes(const LaunchShape &Shape, WarpModels &Models)
      : Shape(Shape), Models(Models), OfWarp(Shape.warps()) {}

  /// Tells \p Likes which model the warp is like, if its block is in a box.
  bool find(const WarpPlace &Warp, LikeTraces &Likes);

  /// Runs the same warp of another block and puts its lanes where those of the
  /// first one were. False when it is too long.
  using RunWarp = llvm::function_ref<bool(const WarpPlace &)>;
  /// Looks for the largest box around the block of a warp of which \p Likes
  /// tells what model it is or is like. \p Ran, its lanes, is what \p Run
  /// replaces. For kernels whose blocks are affine; see LaneShape.h.
  void grow(const WarpPlace &Warp, const std::vector<WarpLanes> &Ran,
            const LikeTraces &Likes, RunWarp Run);

private:
  using Index = std::array<uint32_t, 3>;
  using Distances = WarpModels::Distances;
  /// How far the lines of a site are from the model's.
  struct SiteDistance {
    uint64_t OfBase = 0;
    std::array<uint64_t, 3> Steps = {}; ///< to the next block in each direction
  };
  struct Box {
    Index First, Last; ///< of its blocks, both in it
    Index Base;        ///< the block that it grew from
    unsigned Place = 0;
    uint64_t Model = 0;
    std::vector<SiteDistance> Sites; ///< as Likeness::Moves

    bool contains(const Index &Block) const;
    void distances(const Index &Block, Distances &From) const;
  };
  class Growth;

  const LaunchShape &Shape;
  WarpModels &Models;
  std::vector<std::vector<Box>> OfWarp;
  /// Warps that boxes told, and that were run to find boxes.
  uint64_t Told = 0, Tries = 0;

  bool isWorthwhile() const;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_BLOCKBOXES_H
