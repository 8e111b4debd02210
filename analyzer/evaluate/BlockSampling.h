//===- BlockSampling.h - Which blocks of a grid are run ---------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_BLOCKSAMPLING_H
#define WARPWISE_ANALYZER_EVALUATE_BLOCKSAMPLING_H

#include "analyzer/launch/facts/LaunchFacts.h"

#include <vector>

namespace warpwise::access {

struct SampledBlock {
  launch::Dim3 Block;
  double Weight; ///< how many blocks of the grid it stands for
};

/// The block in the middle of \p Grid, the first to be run.
launch::Dim3 middleBlock(const launch::Dim3 &Grid);

/// At most \p Most blocks that stand for all of \p Grid. First and last blocks
/// along an axis are represented by themselves, since that is where guards
/// bite, if \p Most is enough for that; those between by blocks spread among
/// them, no two in the same row or column if it can be helped. The middle block
/// is among them.
std::vector<SampledBlock> sampleBlocks(const launch::Dim3 &Grid, unsigned Most);

/// Blocks of a grid that lie first, last or between on the same axes.
struct GridPart {
  double Count; ///< its blocks
  /// Of the largest part several: what sets some of its blocks apart, as a
  /// guard does or the remainder of a block's number, shows in the first of
  /// these. The middle block comes first. Of other parts one.
  std::vector<launch::Dim3> Witnesses;
};

/// The parts of \p Grid, the largest first.
std::vector<GridPart> partsOf(const launch::Dim3 &Grid);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_BLOCKSAMPLING_H
