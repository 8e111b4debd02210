//===- WarpTraces.h - Where the warps of an SM stand ------------*- C++ -*-===//
//
// The traces of the warps that run on an SM. A long one comes in pieces, which
// follow each other; of one that repeats itself only some windows are run.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_WARPTRACES_H
#define WARPWISE_ANALYZER_REUSE_WARPTRACES_H

#include "analyzer/reuse/TracePool.h"
#include "analyzer/reuse/TraceWindows.h"
#include "analyzer/reuse/Traffic.h"

#include <array>
#include <memory>
#include <vector>

namespace warpwise::reuse {

/// A warp as it starts on an SM.
struct ResidentWarp {
  WarpCode Code;
  std::unique_ptr<WarpStream> Rest; ///< null: there is no more than Code
};

/// What an SM holds for a warp, but for its bases.
struct HeldTrace {
  std::shared_ptr<const SharedTrace> Trace;
  std::unique_ptr<WarpStream> Rest; ///< null: there is no more than Trace
};

/// Gives warps the next piece of a long trace.
class PieceReader {
public:
  virtual ~PieceReader() = default;
  /// Replaces \p Warp.Trace by what follows. Returns its bases, by slot, until
  /// the next call; null, and then Rest is too, when nothing follows.
  virtual const std::vector<uint64_t> *readNext(HeldTrace &Warp) = 0;
};

/// What each step of a warp needs, on one line of the host's cache.
struct alignas(64) RunningWarp {
  const PackedAccess *Next = nullptr, *End = nullptr;
  const uint64_t *Bases = nullptr;
  const uint32_t *Sites = nullptr;
  uint32_t FirstRow = 0;
  unsigned InFlight = 0;
  uint8_t Block = 0;
  uint8_t Window = 0;
  bool HasRest = false;
};

class WarpTraces {
public:
  static constexpr unsigned MostWarps = 64;

  /// Counts the requests of pieces in \p Rows.
  WarpTraces(unsigned Sm, std::vector<Traffic> &Rows, PieceReader &Pieces)
      : Sm(Sm), Rows(Rows), Pieces(Pieces), Warps(MostWarps), Held(MostWarps) {}

  RunningWarp &operator[](unsigned W) { return Warps[W]; }

  /// See SmModel.
  void leaveOut(TraceWindows Left, size_t RowsOfWindow) {
    Windows = Left;
    RowsPerWindow = RowsOfWindow;
  }
  void reserveLocalMemory(uint64_t Lines) { LocalLines = Lines; }

  /// Puts \p New at the begin of its trace, which is taken out of it.
  void start(unsigned W, ResidentWarp &New, uint32_t FirstRow, uint8_t Block);
  /// Whether there is another access; where a piece or a window has ended, goes
  /// on to the next.
  bool hasNext(unsigned W) {
    const RunningWarp &X = Warps[W];
    return X.Next != X.End || (X.HasRest && readNext(W)) || nextWindow(W);
  }
  void release(unsigned W) { Held[W] = {}; }

private:
  /// A line of the host's cache.
  struct alignas(64) BaseLine {
    std::array<uint64_t, 8> Bases;
  };

  void enter(unsigned W, const std::vector<uint64_t> &Bases);
  void widenBases(size_t Slots);
  bool readNext(unsigned W);
  void endWindow(unsigned W);
  bool nextWindow(unsigned W);

  const unsigned Sm;
  std::vector<Traffic> &Rows;
  PieceReader &Pieces;
  TraceWindows Windows;
  size_t RowsPerWindow = 0;
  uint64_t LocalLines = 0; ///< of each warp
  std::vector<RunningWarp> Warps;
  std::vector<HeldTrace> Held; ///< of Warps
  /// Of all warps, side by side: less memory than one piece for each.
  std::vector<BaseLine> BaseLines;
  size_t BasesOfWarp = 0;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_WARPTRACES_H
