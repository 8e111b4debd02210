//===- Trace.h - What a kernel's warps access -------------------*- C++ -*-===//
//
// The logical half of the cache model (Kiani et al., RDGC, section 3): per warp
// the coalesced accesses in program order, independent of any GPU but for the
// size of lines and sectors. Plain data between those who make traces and the
// simulated caches.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_H
#define WARPWISE_ANALYZER_REUSE_TRACE_H

#include "analyzer/source/Place.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpwise::reuse {

constexpr unsigned LineBytes = 128;
constexpr unsigned SectorBytes = 32;

/// From here on addresses of a trace are of a thread's own memory, which the
/// same code finds at the same place in every warp: far from all buffers. Where
/// it is on the device depends on the place that the warp has on its SM; later
/// blocks find the same memory there.
constexpr uint64_t LocalMemoryBase = uint64_t(1) << 45;
constexpr uint64_t FirstLocalLine = LocalMemoryBase / LineBytes;

/// The part of a warp's request that falls into one line; a request is one
/// entry for each line that it touches, the lines ascending.
struct LineAccess {
  enum class Kind : uint8_t {
    Load, ///< through L1
    Store,
    Atomic, ///< done in L2
    Barrier ///< the block's warps meet; Line and Sectors are 0
  };

  uint64_t Line = 0;   ///< address / LineBytes; see LocalMemoryBase
  uint32_t Site = 0;   ///< index into TraceSource::sites()
  uint8_t Sectors = 0; ///< bit per sector of the line
  Kind What = Kind::Load;
  bool Local : 1 = false;  ///< thread-private memory that lives in local memory
  bool Last : 1 = true;    ///< last entry of its request
  bool PastL1 : 1 = false; ///< a load that L1 neither answers nor keeps

  bool operator==(const LineAccess &) const = default;
};

using WarpTrace = std::vector<LineAccess>;

/// What follows in the trace of one warp, piece by piece, for warps whose
/// traces are too long to be held whole.
class WarpStream {
public:
  virtual ~WarpStream() = default;
  /// Replaces \p Out by the next accesses: whole requests, none at the end.
  /// Returns an empty string, or one sentence that says what went wrong.
  virtual std::string next(WarpTrace &Out) = 0;
};

/// Traces of one block, by warp number; a warp without accesses is empty.
struct BlockTrace {
  std::vector<WarpTrace> Warps;
  /// By warp: what comes after the accesses in Warps; null where that is all.
  /// Empty when all are null. A stream lives no longer than its source, and
  /// others of the source may be asked in between.
  std::vector<std::unique_ptr<WarpStream>> Rest;
};

/// What a warp's trace has to do with that of an earlier one, its model: the
/// same accesses, but with the lines of each site moved.
struct Likeness {
  uint64_t Model = 0; ///< its number, from 1 on; 0: none
  unsigned Place = 0; ///< of the model in LikeTraces::Kept
  /// The warp has no trace of its own. Otherwise it is the model itself.
  bool IsMoved = false;
  /// Lines, modulo 2^64, for each of the model's sites in the order in which
  /// they first occur. The model's lines of one site are less than 2^31 apart.
  std::vector<uint64_t> Moves;
};

/// For callers who keep the traces of models.
struct LikeTraces {
  static constexpr unsigned MostModels = 16;
  /// The models' numbers by place; 0: none. The source puts new ones here, and
  /// the caller has to keep their traces from then on.
  std::array<uint64_t, MostModels> Kept = {};
  std::vector<Likeness> ByWarp; ///< of the last block; empty: none is known
};

/// Everything about a launch that decides where blocks run and when.
struct LaunchShape {
  std::array<uint32_t, 3> Grid = {1, 1, 1};
  std::array<uint32_t, 3> Block = {1, 1, 1};
  uint32_t SharedBytesPerBlock = 0; ///< static and dynamic
  uint32_t RegistersPerThread = 0;  ///< 0: not known
  /// Of the memory that its threads have for themselves, a multiple of the
  /// line.
  uint64_t LocalBytesPerWarp = 0;

  uint64_t blocks() const { return uint64_t(Grid[0]) * Grid[1] * Grid[2]; }
  unsigned threads() const { return Block[0] * Block[1] * Block[2]; }
  unsigned warps() const { return (threads() + 31) / 32; }
};

/// Makes the traces of one launch, block by block.
class TraceSource {
public:
  virtual ~TraceSource() = default;
  virtual const LaunchShape &shape() const = 0;
  /// The places in the source that the result is given for.
  virtual const std::vector<Place> &sites() const = 0;
  /// Fills \p Out with the traces of block number \p Block (x fastest). Blocks
  /// may be asked for in any order. Returns an empty string, or one sentence
  /// that says why they cannot be made.
  virtual std::string block(uint64_t Block, BlockTrace &Out) = 0;
  /// The same, but for warps that are like one that \p Likes has kept: their
  /// traces are empty, and \p Likes tells them. Warps are in order: a model may
  /// be an earlier warp of the block.
  virtual std::string blockLike(uint64_t Block, BlockTrace &Out,
                                LikeTraces &Likes) {
    Likes.ByWarp.clear();
    return block(Block, Out);
  }
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_H
