//===- LaneRows.cpp - A warp told by three lanes of each row --------------===//

#include "analyzer/reuse/trace/LaneRows.h"

#include <algorithm>

namespace warpwise::reuse {

void LaneRows::split(const LaneRunner &Runner, unsigned Warp) {
  Count = 0;
  const unsigned Begin = Warp * LanesOfWarp;
  const unsigned End = Begin + Runner.lanes(Warp);
  for (unsigned Thread = Begin; Thread != End;) {
    const unsigned Next = std::min(End, Thread - Runner.threadIndex(Thread)[0] +
                                            Runner.shape().Block[0]);
    Rows[Count].FirstLane = Together[Count].FirstLane = Thread - Begin;
    Rows[Count].Lanes = Together[Count].Lanes = Next - Thread;
    ++Count;
    Thread = Next;
  }
}

bool LaneRows::isAffine(const Row &R) {
  if (R.Lanes == 1)
    return true;
  const size_t Size = R.Pieces[0].size();
  if (R.Pieces[1].size() != Size || (R.Lanes > 2 && R.Pieces[2].size() != Size))
    return false;
  const uint64_t *First = R.Pieces[0].Begin, *Second = R.Pieces[1].Begin;
  const uint64_t *Last = R.Lanes > 2 ? R.Pieces[2].Begin : Second;
  const uint64_t Steps = R.Lanes - 1;
  uint64_t Paths = 0, Errors = 0;
  for (size_t N = 0; N != Size; ++N) {
    const uint64_t Step = Second[N] - First[N];
    Paths |= Step;
    Errors |= Last[N] - First[N] - Steps * Step;
  }
  return (Paths & PositionMask) == 0 && Errors == 0;
}

bool LaneRows::takeSamePath() const {
  const LanePiece &One = Rows[0].Pieces[0];
  return std::all_of(Rows.begin() + 1, Rows.begin() + Count, [&](const Row &R) {
    return std::equal(
        One.Begin, One.End, R.Pieces[0].Begin, R.Pieces[0].End,
        [](uint64_t A, uint64_t B) { return ((A ^ B) & PositionMask) == 0; });
  });
}

void LaneRows::write(RequestWriter &Out) {
  if (Count == 1) {
    const Row &R = Rows[0];
    return Out.writeRow(R.Pieces[0].Begin, R.Pieces[R.Lanes == 1 ? 0 : 1].Begin,
                        size(), R.FirstLane, R.Lanes);
  }
  for (size_t N = 0, End = size(); N != End; ++N) {
    const auto Position = uint32_t(Rows[0].Pieces[0].Begin[N] & PositionMask);
    if (!Out.kind(Position).IsRequest)
      continue;
    for (unsigned R = 0; R != Count; ++R) {
      const uint64_t First = Rows[R].Pieces[0].Begin[N];
      Together[R].First = First >> PositionBits;
      Together[R].Stride =
          Rows[R].Lanes == 1
              ? 0
              : int64_t(Rows[R].Pieces[1].Begin[N] - First) >> PositionBits;
    }
    Out.write(Position, Together.data(), Count);
  }
}

void LaneRows::countRounds(const LoopNest &Loops,
                           std::vector<uint32_t> &Rounds) const {
  const LanePiece &One = Rows[0].Pieces[0];
  for (const uint64_t *At = One.Begin; At != One.End; ++At)
    if (const StreamPoint &P = Loops.Code.Points[*At & PositionMask];
        P.What == StreamPoint::Kind::LoopRound)
      Loops.enterRound(Rounds, P.Loop);
}

} // namespace warpwise::reuse
