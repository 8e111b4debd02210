//===- SmBlocks.cpp - Blocks and warps come to an SM, meet and end --------===//

#include "analyzer/reuse/SmModel.h"

#include <algorithm>
#include <bit>

using namespace warpwise;
using namespace warpwise::reuse;

void SmModel::start(ResidentBlock &New, Cycle When) {
  // New warps stand where the last of the others stand.
  uint32_t Issued = ~uint32_t(0);
  for (uint64_t Left = ~FreeWarps; Left != 0; Left &= Left - 1)
    Issued = std::min(Issued, IssuedOf[std::countr_zero(Left)]);
  if (~FreeWarps == 0)
    Issued = 0;
  unsigned Number = 0;
  while (Number != Blocks.size() && Blocks[Number].Alive != 0)
    ++Number;
  if (Number == Blocks.size())
    Blocks.emplace_back();
  Block &B = Blocks[Number];
  B = {};
  for (ResidentWarp &Each : New.Warps) {
    if (Each.Code.Trace->Accesses.empty() && !Each.Rest)
      continue;
    const unsigned W = unsigned(std::countr_zero(FreeWarps));
    FreeWarps &= ~bit(W);
    B.Alive |= bit(W);
    Warp &X = Warps[W];
    X = Warp();
    X.FirstRow = New.FirstRow;
    X.Block = uint8_t(Number);
    X.HasRest = Each.Rest != nullptr;
    Ages[W] = NextAge++;
    IssuedOf[W] = Issued;
    WakeAt[W] = When;
    DoneAt[W] = 0;
    Traces[W] = {std::move(Each.Code.Trace), std::move(Each.Rest)};
    enter(W, Each.Code.Bases);
    Later |= bit(W);
    NextWake = std::min(NextWake, When);
  }
  if (B.Alive == 0)
    Ended.push_back({When, New.FirstRow});
}

/// Goes to the begin of the warp's trace.
void SmModel::enter(unsigned W, const std::vector<uint64_t> &Bases) {
  Warp &X = Warps[W];
  const SharedTrace &Trace = *Traces[W].Trace;
  X.Next = Trace.Accesses.data();
  X.End = X.Next + Trace.Accesses.size();
  X.Sites = Trace.Sites.data();
  if (BaseLines.empty() || Bases.size() > BasesOfWarp)
    widenBases(Bases.size());
  uint64_t *Own = &BaseLines.front().Bases[0] + W * BasesOfWarp;
  const uint64_t LocalMove = (uint64_t(Number) * MostWarps + W) * LocalLines;
  std::transform(Bases.begin(), Bases.end(), Own, [&](uint64_t Line) {
    return Line < FirstLocalLine ? Line : Line + LocalMove;
  });
  X.Bases = Own;
  if (!Windows.whole())
    endWindow(W);
}

/// Makes room for traces of so many slots. Few bases share a line, many begin
/// with one.
void SmModel::widenBases(size_t Slots) {
  constexpr size_t OfLine = sizeof(BaseLine) / sizeof(uint64_t);
  const size_t Wider = Slots < OfLine ? std::bit_ceil(Slots)
                                      : (Slots + OfLine - 1) / OfLine * OfLine;
  std::vector<BaseLine> Lines(MostWarps * Wider / OfLine);
  for (unsigned W = 0; W != MostWarps; ++W)
    if (Warp &X = Warps[W]; X.Bases) {
      uint64_t *Bases = &Lines.front().Bases[0] + W * Wider;
      std::copy_n(X.Bases, BasesOfWarp, Bases);
      X.Bases = Bases;
    }
  BaseLines = std::move(Lines);
  BasesOfWarp = Wider;
}

/// Sets End to the end of the warp's window, behind a whole request.
void SmModel::endWindow(unsigned W) {
  Warp &X = Warps[W];
  const std::vector<PackedAccess> &All = Traces[W].Trace->Accesses;
  size_t At = All.size() * (X.Window + 1) / Windows.All;
  while (At != 0 && At != All.size() && !All[At - 1].Last)
    ++At;
  X.End = All.data() + At;
}

/// False when the next one is left out.
bool SmModel::nextWindow(unsigned W) {
  Warp &X = Warps[W];
  if (X.Window + 1u >= Windows.Simulated)
    return false;
  ++X.Window;
  X.FirstRow += uint32_t(RowsPerWindow);
  endWindow(W);
  return X.Next != X.End;
}

/// The next piece of the warp's trace. False at the end.
bool SmModel::readNext(unsigned W) {
  Warp &X = Warps[W];
  const std::vector<uint64_t> *Bases = Pieces.readNext(Traces[W]);
  X.HasRest = Bases != nullptr;
  if (Bases) {
    Traces[W].Trace->countRequests(1, &Rows[X.FirstRow]);
    enter(W, *Bases);
  } else {
    X.Next = X.End;
  }
  return X.HasRest;
}

void SmModel::arrive(unsigned W) {
  Warp &X = Warps[W];
  ++X.Next;
  if (X.Next == X.End && X.HasRest)
    readNext(W);
  Block &B = Blocks[X.Block];
  B.Arrived |= bit(W);
  Now += 1;
  releaseBarrier(B);
}

void SmModel::releaseBarrier(Block &B) {
  if (B.Alive == 0 || B.Arrived != B.Alive)
    return;
  for (uint64_t Left = B.Arrived; Left != 0; Left &= Left - 1)
    wake(unsigned(std::countr_zero(Left)), Now + 1);
  B.Arrived = 0;
}

void SmModel::retire(unsigned W) {
  Warp &X = Warps[W];
  Block &B = Blocks[X.Block];
  B.Alive &= ~bit(W);
  FreeWarps |= bit(W);
  Traces[W] = {};
  if (B.Alive == 0)
    Ended.push_back({Now, X.FirstRow});
  else
    releaseBarrier(B);
}
