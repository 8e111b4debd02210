//===- SharedLines.h - What blocks all over the grid read -------*- C++ -*-===//
//
// Every SM has to fetch once what all blocks read, such as a vector that each
// row of a matrix is scaled by. With every wave L1s miss less of it, until they
// have all of it or have been filled with other lines as often as they can.
// That takes many waves, but follows from counts of the first: where an SM
// reads a share S of such sectors in each chunk of blocks, exp(-S * N) of those
// reads still miss after N chunks, and with LRU replacement N ends where so
// many chunks fill L1 (H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching
// Systems", 2002).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_SHAREDLINES_H
#define WARPWISE_ANALYZER_REUSE_SHAREDLINES_H

#include "analyzer/reuse/Traffic.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpwise::reuse {

/// The L1s of the SMs that are simulated.
struct L1Room {
  size_t Sms = 0;
  uint64_t LinesOfSm = 0;
  bool KeepsUsed = true; ///< when it is full; LRU replacement does

  double lines() const { return double(Sms) * double(LinesOfSm); }
};

/// Misses of L1 by chunks of blocks, those of known lines, which a chunk some
/// time before had missed, and among these the shared ones, which were missed
/// when the launch began. One of a few lines is followed.
class SharedLines {
public:
  /// Rows are of \p SiteCount sites for each of \p Chunks. A chunk knows the
  /// lines that one \p Apart chunks before it missed, or an earlier one; blocks
  /// that run at the same time miss the same lines and learn nothing.
  SharedLines(size_t Chunks, size_t SiteCount, size_t Apart,
              const L1Room &Room);

  /// A load that counts in \p Row missed some sectors of a line.
  void missed(size_t Row, uint64_t Line, unsigned Sectors);

  /// The share of known lines in the requests of chunks [\p First, \p Last].
  double knownShare(size_t First, size_t Last) const;
  /// Sectors of shared lines that a row missed.
  double sharedSectors(size_t Row) const;
  /// L1s make room for so many lines in each chunk.
  void allocated(double Lines) { LinesOfChunk = Lines; }
  /// How often chunks before \p End have filled all L1s.
  double fillings(size_t End) const;

  /// Whether most of the known lines of chunk \p Last are shared, by so many
  /// SMs that all will read them, but not all have yet. What only blocks near
  /// each other read is soon followed by something else.
  bool areReadByAll(size_t Last) const;
  /// The share of SMs that have fetched a sector of shared lines until \p Last
  /// ended.
  double readBy(size_t Last) const { return copies(Last) / double(Room.Sms); }
  /// Whether an SM has most of the shared lines before its L1 is full, or the
  /// launch of \p Chunks ends before. What a full L1 keeps depends on its sets.
  bool fit(size_t Last, size_t Chunks) const;
  /// By how much, of one, the misses of shared lines in [\p First, \p Last]
  /// differ from those of blocks that read such lines by chance. Where blocks
  /// near each other read the same part of them, each part is new to the SMs
  /// again.
  double deviation(size_t First, size_t Last) const;

  /// A share of what chunks did.
  struct Share {
    double Misses = 1, Merged = 1;
  };
  /// Shared lines are missed less and less: what is left in the mean of \p
  /// Count chunks from \p From on of what [\p First, \p Last] miss. Fewer
  /// misses meet others of the same line, so that fewer still are merged.
  Share left(size_t First, size_t Last, size_t From, size_t Count) const;
  /// What a row would be with that \p Left of its misses of shared lines.
  Traffic foreseen(Traffic OfRow, size_t Row, Share Left) const;

private:
  struct Misses {
    uint64_t Requests = 0, KnownRequests = 0;
    uint64_t KnownSectors = 0, SharedSectors = 0;

    Misses &operator+=(const Misses &O);
  };
  struct Line {
    uint32_t FirstChunk;
    uint32_t Missed = 0;  ///< sectors, by all SMs
    uint32_t Sectors = 0; ///< a bit for each that was missed
    bool Shared = false;
  };

  Misses sum(size_t First, size_t Last) const;
  /// How many SMs fetched a sector of shared lines until \p Last ended.
  double copies(size_t Last) const;
  /// Of the sectors of shared lines those that an SM reads in a chunk.
  double readShare(size_t Last) const;
  /// The chunk with which an L1 is full.
  double fullAfter(double ReadShare, double End) const;

  const size_t SiteCount, Apart;
  const L1Room Room;
  std::vector<Misses> Rows;
  std::unordered_map<uint64_t, Line> Lines;
  /// Of shared lines: different sectors, and the misses before they were known.
  uint64_t Different = 0, Early = 0;
  uint64_t DifferentLines = 0;
  double LinesOfChunk = 0;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_SHAREDLINES_H
