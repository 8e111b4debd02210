//===- Sampling.h - What is simulated of a large launch ---------*- C++ -*-===//
//
// Waves are left out first: those in the middle are alike, and what a wave
// finds in the caches is seen by simulating the one before it. SMs are left out
// only when two waves are too much, because L2 then misses what SMs share.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SAMPLING_H
#define WARPWISE_ANALYZER_REUSE_SAMPLING_H

#include "analyzer/reuse/Placement.h"
#include "analyzer/reuse/Traffic.h"

namespace warpwise::reuse {

struct SampleSettings {
  /// Lines that warps ask for, of all blocks together, that may be simulated;
  /// 0: all.
  uint64_t MostAccesses = 0;
  unsigned Waves = 0;    ///< 0: as MostAccesses allows
  unsigned SmStride = 0; ///< simulate every so many SMs; 0: as it allows
};

/// A part of a launch, and what it stands for.
struct Sample {
  uint64_t FirstBlock = 0, Blocks = 0; ///< that are dealt to SMs
  uint64_t ColdBlocks = 0;             ///< the first of them, one wave
  unsigned SmStride = 1;
  uint64_t AllBlocks = 0;

  bool all() const { return Blocks == AllBlocks && SmStride == 1; }
  /// The error class, in a sentence, with the source of its figures.
  std::string describe(bool Bounded) const;

  bool operator==(const Sample &) const = default;
};

/// What of a launch with \p AllBlocks blocks of \p AccessesPerBlock is
/// simulated; \p Wave blocks run at once.
Sample planSample(const SampleSettings &Settings, uint64_t AllBlocks,
                  uint64_t Wave, double AccessesPerBlock, unsigned Sms);

/// What blocks of the corners of the grid touch, at least of kernels whose
/// addresses are affine: no block touches a line outside.
class Footprint {
public:
  /// Adds the extent of each site. Returns what \p Source says.
  std::string addCorners(TraceSource &Source);
  /// Lines of the union of all extents.
  uint64_t lines() const;
  double accessesPerBlock() const {
    return Blocks ? double(Accesses) / double(Blocks) : 0;
  }

private:
  std::vector<std::pair<uint64_t, uint64_t>> Extents; ///< by site
  uint64_t Accesses = 0, Blocks = 0;
};

/// Takes misses away that would be more than \p Lines lines can have, where
/// they fit into each partition of L2. Returns whether there were any.
bool boundMisses(std::vector<Traffic> &Sites, uint64_t Lines,
                 const CacheOptions &Options);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SAMPLING_H
