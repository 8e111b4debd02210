//===- WarpTraces.cpp - Where the warps of an SM stand --------------------===//

#include "analyzer/reuse/WarpTraces.h"

#include <algorithm>
#include <bit>
#include <cassert>

using namespace warpwise;
using namespace warpwise::reuse;

void WarpTraces::start(unsigned W, ResidentWarp &New, uint32_t FirstRow,
                       uint8_t Block) {
  RunningWarp &X = Warps[W];
  X = RunningWarp();
  X.FirstRow = FirstRow;
  X.Block = Block;
  X.HasRest = New.Rest != nullptr;
  Held[W] = {std::move(New.Code.Trace), std::move(New.Rest)};
  enter(W, New.Code.Bases);
}

/// Goes to the begin of the warp's trace.
void WarpTraces::enter(unsigned W, const std::vector<uint64_t> &Bases) {
  RunningWarp &X = Warps[W];
  const SharedTrace &Trace = *Held[W].Trace;
  assert(Bases.size() == Trace.Sites.size() && "a base for each slot");
  X.Next = Trace.Accesses.data();
  X.End = X.Next + Trace.Accesses.size();
  X.Sites = Trace.Sites.data();
  if (BaseLines.empty() || Bases.size() > BasesOfWarp)
    widenBases(Bases.size());
  uint64_t *Own = &BaseLines.front().Bases[0] + W * BasesOfWarp;
  const uint64_t LocalMove = (uint64_t(Sm) * MostWarps + W) * LocalLines;
  std::transform(Bases.begin(), Bases.end(), Own, [&](uint64_t Line) {
    return Line < FirstLocalLine ? Line : Line + LocalMove;
  });
  X.Bases = Own;
  if (!Windows.whole())
    endWindow(W);
}

/// Makes room for traces of so many slots. Few bases share a line, many begin
/// with one.
void WarpTraces::widenBases(size_t Slots) {
  constexpr size_t OfLine = sizeof(BaseLine) / sizeof(uint64_t);
  const size_t Wider = Slots < OfLine ? std::bit_ceil(Slots)
                                      : (Slots + OfLine - 1) / OfLine * OfLine;
  std::vector<BaseLine> Lines(MostWarps * Wider / OfLine);
  for (unsigned W = 0; W != MostWarps; ++W)
    if (RunningWarp &X = Warps[W]; X.Bases) {
      uint64_t *Bases = &Lines.front().Bases[0] + W * Wider;
      std::copy_n(X.Bases, BasesOfWarp, Bases);
      X.Bases = Bases;
    }
  BaseLines = std::move(Lines);
  BasesOfWarp = Wider;
}

/// Sets End to the end of the warp's window, behind a whole request.
void WarpTraces::endWindow(unsigned W) {
  RunningWarp &X = Warps[W];
  const std::vector<PackedAccess> &All = Held[W].Trace->Accesses;
  size_t At = All.size() * (X.Window + 1) / Windows.All;
  while (At != 0 && At != All.size() && !All[At - 1].Last)
    ++At;
  X.End = All.data() + At;
}

/// False when the next one is left out.
bool WarpTraces::nextWindow(unsigned W) {
  RunningWarp &X = Warps[W];
  if (X.Window + 1u >= Windows.Simulated)
    return false;
  ++X.Window;
  X.FirstRow += uint32_t(RowsPerWindow);
  endWindow(W);
  return X.Next != X.End;
}

/// The next piece of the warp's trace. False at the end.
bool WarpTraces::readNext(unsigned W) {
  RunningWarp &X = Warps[W];
  const std::vector<uint64_t> *Bases = Pieces.readNext(Held[W]);
  X.HasRest = Bases != nullptr;
  if (Bases) {
    Held[W].Trace->countRequests(1, &Rows[X.FirstRow]);
    enter(W, *Bases);
  } else {
    X.Next = X.End;
  }
  return X.HasRest;
}
