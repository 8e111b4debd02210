//===- LaneMerge.cpp - All lanes' entries as a warp's requests ------------===//

#include "analyzer/reuse/trace/LaneMerge.h"

#include "analyzer/reuse/lanecode/LaneShape.h"

#include <algorithm>
#include <cassert>

namespace warpwise::reuse {

LoopNest::LoopNest(const LaneCode &Code)
    : Code(Code), InnerLoops(Code.Loops.size()) {
  for (uint32_t L = 0; L != Code.Loops.size(); ++L)
    if (Code.Loops[L].Parent >= 0)
      InnerLoops[Code.Loops[L].Parent].push_back(L);
}

LaneMerge::LaneMerge(const LoopNest &Loops) : Loops(Loops) {
  Together.reserve(LanesOfWarp);
}

void LaneMerge::begin(unsigned Count, const std::vector<uint32_t> &Rounds) {
  assert(Count != 0 && Count <= LanesOfWarp);
  assert(Rounds.empty() || Rounds.size() == Loops.Code.Loops.size());
  Lanes = Count;
  for (unsigned L = 0; L != Lanes; ++L) {
    Cursors[L].At = Cursors[L].End = nullptr;
    if (Rounds.empty())
      Cursors[L].Rounds.assign(Loops.Code.Loops.size(), 0);
    else
      Cursors[L].Rounds = Rounds;
  }
}

bool LaneMerge::run(RequestWriter &Out, size_t Most, Feed *More) {
  while (findGroup(More))
    do {
      if (Out.size() >= Most)
        return true;
      step(Out);
    } while (staysTogether(More));
  return false;
}

/// Which of two lanes' next events comes first: below 0, 0 for together, above
/// 0. Rounds of a loop go before what follows in it; see execution::order().
int LaneMerge::order(const Cursor &A, const Cursor &B) const {
  const LaneCode &Code = Loops.Code;
  const uint32_t PositionA = *A.At & PositionMask;
  const uint32_t PositionB = *B.At & PositionMask;
  // The loops around each, outermost first; few are deeper.
  std::array<int32_t, 16> LoopsA, LoopsB;
  auto loopsAround = [&](uint32_t Position, std::array<int32_t, 16> &Into) {
    size_t Count = 0;
    for (int32_t L = Code.Points[Position].Loop; L >= 0 && Count != Into.size();
         L = Code.Loops[L].Parent)
      Into[Count++] = L;
    std::reverse(Into.begin(), Into.begin() + Count);
    return Count;
  };
  const size_t DepthA = loopsAround(PositionA, LoopsA);
  const size_t DepthB = loopsAround(PositionB, LoopsB);
  auto roundOf = [&](const Cursor &C, uint32_t Position, int32_t Loop) {
    return C.Rounds[Loop] + (Code.Loops[Loop].Header == Position);
  };
  for (size_t N = 0; N != std::min(DepthA, DepthB); ++N) {
    if (LoopsA[N] != LoopsB[N])
      return Code.Loops[LoopsA[N]].Header < Code.Loops[LoopsB[N]].Header ? -1
                                                                         : 1;
    const uint32_t RoundA = roundOf(A, PositionA, LoopsA[N]);
    const uint32_t RoundB = roundOf(B, PositionB, LoopsB[N]);
    if (RoundA != RoundB)
      return RoundA < RoundB ? -1 : 1;
  }
  // Where one is in a further loop, that loop's header counts.
  const uint32_t NextA =
      DepthA > DepthB ? Code.Loops[LoopsA[DepthB]].Header : PositionA;
  const uint32_t NextB =
      DepthB > DepthA ? Code.Loops[LoopsB[DepthA]].Header : PositionB;
  return NextA < NextB ? -1 : NextA > NextB;
}

/// Skips witnesses. False at the end.
bool LaneMerge::hasNext(unsigned Lane, Feed *More) {
  Cursor &C = Cursors[Lane];
  for (;;) {
    while (C.At != C.End && (*C.At & PositionMask) == WitnessPosition)
      ++C.At;
    if (C.At != C.End)
      return true;
    if (!More)
      return false;
    set(Lane, More->refill(Lane));
    if (C.At == C.End)
      return false;
  }
}

/// The lanes with the earliest event, and the lane with the earliest event of
/// the others. False when all lanes are at their end.
bool LaneMerge::findGroup(Feed *More) {
  G.Lanes.clear();
  G.Waiting = nullptr;
  for (unsigned L = 0; L != Lanes; ++L) {
    const Cursor &C = Cursors[L];
    if (!hasNext(L, More))
      continue;
    const int Order = G.Lanes.empty() ? 0 : order(C, Cursors[G.Lanes[0]]);
    if (Order < 0) {
      G.Waiting = &Cursors[G.Lanes[0]];
      G.Lanes.clear();
    } else if (Order > 0) {
      if (!G.Waiting || order(C, *G.Waiting) < 0)
        G.Waiting = &C;
      continue;
    }
    G.Lanes.push_back(uint8_t(L));
  }
  return !G.Lanes.empty();
}

/// True when the lanes of a group, which were in the same rounds of all loops,
/// have their next event together, too, and before all others.
bool LaneMerge::staysTogether(Feed *More) {
  const Cursor &First = Cursors[G.Lanes[0]];
  if (!hasNext(G.Lanes[0], More))
    return false;
  for (uint8_t L : G.Lanes)
    if (!hasNext(L, More) || ((*Cursors[L].At ^ *First.At) & PositionMask))
      return false;
  return !G.Waiting || order(First, *G.Waiting) < 0;
}

/// The next event of a group.
void LaneMerge::step(RequestWriter &Out) {
  const uint32_t Position = *Cursors[G.Lanes[0]].At & PositionMask;
  const StreamPoint &P = Loops.Code.Points[Position];
  if (P.What == StreamPoint::Kind::LoopRound) {
    for (uint8_t L : G.Lanes) {
      Loops.enterRound(Cursors[L].Rounds, P.Loop);
      ++Cursors[L].At;
    }
    return;
  }
  Together.clear();
  for (uint8_t L : G.Lanes)
    appendLane(Together, L, *Cursors[L].At++ >> PositionBits);
  Out.write(Position, Together.data(), Together.size());
}

} // namespace warpwise::reuse
