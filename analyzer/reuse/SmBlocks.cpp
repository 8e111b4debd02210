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
    drawTurn(W);
    WakeAt[W] = When;
    DoneAt[W] = 0;
    std::swap(Traces[W], Each);
    enter(W);
    Later |= bit(W);
    NextWake = std::min(NextWake, When);
  }
  if (B.Alive == 0)
    Ended.push_back({When, New.FirstRow});
}

/// Goes to the begin of the warp's code.
void SmModel::enter(unsigned W) {
  Warp &X = Warps[W];
  const WarpCode &Code = Traces[W].Code;
  X.Next = Code.Trace->Accesses.data();
  X.End = X.Next + Code.Trace->Accesses.size();
  X.Bases = Code.Bases.data();
  X.Sites = Code.Trace->Sites.data();
  if (!Windows.whole())
    endWindow(W);
}

/// Sets End to the end of the warp's window, behind a whole request.
void SmModel::endWindow(unsigned W) {
  Warp &X = Warps[W];
  const std::vector<PackedAccess> &All = Traces[W].Code.Trace->Accesses;
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
  X.HasRest = Pieces.readNext(Traces[W]);
  if (X.HasRest) {
    Traces[W].Code.Trace->countRequests(1, &Rows[X.FirstRow]);
    enter(W);
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
  // The bases keep their memory for the next warp.
  Traces[W].Code.Trace = nullptr;
  Traces[W].Rest = nullptr;
  if (B.Alive == 0)
    Ended.push_back({Now, X.FirstRow});
  else
    releaseBarrier(B);
}
