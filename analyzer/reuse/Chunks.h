//===- Chunks.h - When enough waves of a launch were simulated --*- C++ -*-===//
//
// The blocks of a launch are counted in chunks of a quarter of a wave, or half
// of one where that is few blocks. The first wave begins with cold caches; when
// a later chunk says what the one before it said, it stands for all that
// follow.
//
// What L1s will find because all blocks read it is foreseen (SharedLines.h).
// Where later chunks may find more for other reasons, more are simulated.
//
// Blocks that run beside the chunk that is looked at cost time and tell
// nothing, if it is the last one. So after the first wave two chunks are dealt
// alone, each until it has ended, unless the first wave shows already that L1
// will need more.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_CHUNKS_H
#define WARPWISE_ANALYZER_REUSE_CHUNKS_H

#include "analyzer/reuse/Sampling.h"
#include "analyzer/reuse/SharedLines.h"

namespace warpwise::reuse {

class Chunks {
public:
  /// Of a sample that does not stop early there are two, the cold blocks and
  /// the others.
  Chunks(const Sample &Part, size_t SiteCount, const L1Room &Room);

  size_t count() const { return All.size(); }
  /// The chunk of the block with this number, counted from the sample's first.
  size_t of(uint64_t Number) const {
    return std::min<uint64_t>(All.size() - 1, Number / Size);
  }
  void started(size_t Chunk) { ++All[Chunk].Started; }
  void ended(size_t Chunk) { ++All[Chunk].Ended; }
  /// A load of the chunk and the site of \p Row missed sectors of a line in
  /// L1.
  void missed(size_t Row, uint64_t Line, unsigned Sectors) {
    Shared.missed(Row, Line, Sectors);
  }

  /// Whether the block with this number, the next one, has to wait for the
  /// chunk before it. Asked each time before a block is dealt in order.
  bool holdsBack(uint64_t Number);
  /// Compares chunks that are complete. The last block that was dealt is that
  /// before \p Dealt; mappings that are fixed beforehand may deal a few of
  /// those before it later, which then count with their chunk, but not for it.
  /// \p Rows are by chunk and site; L1s have made room for \p Allocated lines
  /// so far.
  void compare(const std::vector<Traffic> &Rows, uint64_t Dealt,
               uint64_t Allocated);
  /// Whether chunks agreed, so that what they say stands for the rest.
  bool settled() const { return Settled; }
  /// Blocks of chunks that count.
  uint64_t blocks() const;
  /// How often each chunk counts.
  std::vector<double> weights() const;
  /// What the waves do that \p Row stands for, in the mean.
  Traffic foreseen(const std::vector<Traffic> &Rows, size_t Row) const;

private:
  struct Chunk {
    uint64_t Started = 0, Ended = 0;
  };

  bool isComplete(size_t Chunk, uint64_t Dealt) const;
  bool canForesee(const std::vector<Traffic> &Rows) const;
  SharedLines::Share leftOf(size_t First, size_t Last) const;
  double chunksSoFar() const;
  /// With so much of the misses of shared lines.
  Traffic sumOf(const std::vector<Traffic> &Rows, size_t First, size_t Last,
                SharedLines::Share Left) const;
  bool missesAreKnown(size_t First, size_t Last) const;
  bool mayWarmUp(size_t First, size_t Last) const;

  const Sample Part;
  uint64_t Size; ///< blocks of a chunk
  size_t Cold;   ///< chunks that begin with cold caches
  std::vector<Chunk> All;
  const size_t SiteCount;
  SharedLines Shared;
  size_t Next; ///< the chunk to be compared next
  enum class Hold { Undecided, Yes, No } Holding = Hold::Undecided;
  bool Settled = false;
  size_t Stands = 0;       ///< the first of the chunks that do for the rest
  SharedLines::Share Left; ///< of the misses of shared lines, in the rest
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_CHUNKS_H
