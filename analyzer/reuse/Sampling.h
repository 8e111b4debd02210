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
#include "analyzer/reuse/TraceWindows.h"
#include "analyzer/reuse/Traffic.h"

#include <array>

namespace warpwise::reuse {

struct SampleSettings {
  /// Lines that warps ask for, of all blocks together, that may be simulated;
  /// 0: all.
  uint64_t MostAccesses = 0;
  /// Go on only until the figures settle, with MostAccesses at most.
  bool Adaptive = false;
  unsigned Waves = 0;    ///< 0: as MostAccesses allows
  unsigned SmStride = 0; ///< simulate every so many SMs; 0: as it allows
};

/// A part of a launch, and what it stands for.
struct Sample {
  uint64_t FirstBlock = 0, Blocks = 0; ///< that are dealt to SMs
  uint64_t ColdBlocks = 0;             ///< the first of them, one wave
  unsigned SmStride = 1;               ///< of the SMs that have blocks
  uint64_t AllBlocks = 0;
  /// Blocks whose figures are compared with those of the next as many; 0: all
  /// Blocks are simulated whatever they say.
  uint64_t ChunkBlocks = 0;
  bool Settled = false; ///< the figures of chunks agreed, and so Blocks is less
  TraceWindows Windows = {}; ///< of each warp's trace

  /// Stop when chunks agree; the first of them are one wave of \p Wave blocks.
  void compareChunksOf(uint64_t Wave);

  bool all() const {
    return Blocks == AllBlocks && SmStride == 1 && Windows.whole();
  }
  /// The error class, in a sentence, with the source of its figures.
  std::string describe(bool Bounded) const;

  bool operator==(const Sample &) const = default;
};

/// What of a launch with \p AllBlocks blocks of \p AccessesPerBlock is
/// simulated; \p Wave blocks run at once.
Sample planSample(const SampleSettings &Settings, uint64_t AllBlocks,
                  uint64_t Wave, double AccessesPerBlock, unsigned Sms);
/// How sparsely SMs may be sampled, of those that have blocks, without the user
/// asking for it: some must remain.
unsigned mostStride(uint64_t Blocks, unsigned Sms);
/// What blocks of the corners of the part of the grid that does anything touch,
/// at least of kernels whose addresses are affine: no block touches a line
/// outside.
class TouchedLines {
public:
  /// Of thread-private memory there is as much as \p ResidentWarps have that
  /// run at the same time.
  TouchedLines(TraceSource &Source, uint64_t ResidentWarps);
  /// Looks at one block. Of traces that come in pieces only the first piece
  /// counts. Returns what the source says.
  std::string add(uint64_t Block);
  std::string addCorners();
  /// Looks at some blocks from all over the grid: whether each of them accesses
  /// memory about as often as the next, at every site.
  std::string compareBlocks(bool &Alike);
  /// Lines of the union of all extents.
  uint64_t lines() const { return unionOf(Extents) + localLines(Local); }
  /// Those that are read other than by a warp that wrote them before.
  uint64_t readLines() const {
    return unionOf(ReadExtents) + localLines(LocalRead);
  }
  /// Whether there is more than the pieces that were looked at: then all
  /// figures are at least so large.
  bool isPartial() const { return Partial; }
  double accessesPerBlock() const {
    return Blocks ? double(Accesses) / double(Blocks) : 0;
  }

private:
  using Extent = std::pair<uint64_t, uint64_t>;
  using BlockIndex = std::array<uint64_t, 3>; ///< of a block in the grid

  uint64_t blockAt(const BlockIndex &At) const;
  std::string moveToEdge(BlockIndex &At, unsigned D, uint64_t To);
  static uint64_t unionOf(std::vector<Extent> Extents);
  uint64_t localLines(const Extent &OfWarp) const {
    return ResidentWarps * unionOf({OfWarp});
  }

  TraceSource &Source;
  uint64_t ResidentWarps;
  std::vector<Extent> Extents, ReadExtents; ///< by site
  Extent Local = {~uint64_t(0), 0}, LocalRead = Local;
  BlockTrace Scratch;
  std::vector<std::pair<uint64_t, uint32_t>> Stored; ///< by hash of the line
  uint32_t Epoch = 0;
  uint64_t Accesses = 0, LastAccesses = 0, Blocks = 0;
  std::vector<uint64_t> LastOf; ///< LastAccesses by site
  bool Partial = false;
};

/// Whether two parts of a launch say the same: their hit rates (within half a
/// point in L1 and 5 in L2), the work that is left for L2 and DRAM and their
/// accesses by block (5 %).
bool agree(const Traffic &A, uint64_t BlocksOfA, const Traffic &B,
           uint64_t BlocksOfB);

/// Takes reads of DRAM away that would be more than \p Touched can have, where
/// its lines fit into each partition of L2, and with them misses of L2, of
/// which each partition may have as many. Returns whether there were any.
bool boundMisses(std::vector<Traffic> &Sites, const TouchedLines &Touched,
                 const CacheOptions &Options);
bool boundMisses(std::vector<Traffic> &Sites, uint64_t Lines,
                 uint64_t ReadLines, const CacheOptions &Options);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SAMPLING_H
