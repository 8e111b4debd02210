//===- LaneTrace.cpp - What a run of a kernel leaves behind ---------------===//

#include "analyzer/execution/LaneTrace.h"

#include <algorithm>

namespace warpwise::execution {

void LaneTrace::clear() {
  Events.clear();
  Starts.clear();
  Path.clear();
}

std::span<const uint32_t> LaneTrace::context(uint32_t Number) const {
  const size_t End =
      Number + 1 < Starts.size() ? Starts[Number + 1] : Path.size();
  return std::span(Path).subspan(Starts[Number], End - Starts[Number]);
}

std::strong_ordering order(const LaneTrace &A, const Event &EventA,
                           const LaneTrace &B, const Event &EventB) {
  const std::span<const uint32_t> PathA = A.context(EventA.Context);
  const std::span<const uint32_t> PathB = B.context(EventB.Context);
  const size_t Common = std::min(PathA.size(), PathB.size());
  for (size_t N = 0; N != Common; ++N)
    if (PathA[N] != PathB[N])
      return PathA[N] <=> PathB[N];
  // Where one is in no further loop, its position counts against the header of
  // the other's.
  const uint32_t NextA =
      PathA.size() > Common ? PathA[Common] : EventA.Position;
  const uint32_t NextB =
      PathB.size() > Common ? PathB[Common] : EventB.Position;
  return NextA <=> NextB;
}

bool forEachRequest(std::span<const LaneTrace *const> Lanes,
                    llvm::function_ref<void(uint32_t, const LaneSet &)> Then) {
  std::vector<size_t> Next(Lanes.size());
  for (;;) {
    // The earliest events that are left; all lanes that have it take part.
    uint32_t Active = 0;
    unsigned First = 0;
    for (unsigned L = 0; L != Lanes.size(); ++L) {
      if (Next[L] == Lanes[L]->Events.size())
        continue;
      const Event &Mine = Lanes[L]->Events[Next[L]];
      if (Active != 0) {
        const auto Order = order(*Lanes[L], Mine, *Lanes[First],
                                 Lanes[First]->Events[Next[First]]);
        if (Order > 0)
          continue;
        if (Order < 0)
          Active = 0;
      }
      if (Active == 0)
        First = L;
      Active |= 1u << L;
    }
    if (Active == 0)
      return true;
    LaneSet R;
    R.Active = Active;
    const uint32_t Position = Lanes[First]->Events[Next[First]].Position;
    for (unsigned L = 0; L != Lanes.size(); ++L) {
      if (!(Active >> L & 1))
        continue;
      const auto &Events = Lanes[L]->Events;
      R.Addresses[L] = Events[Next[L]].Address;
      if (++Next[L] < Events.size() &&
          order(*Lanes[L], Events[Next[L]], *Lanes[L], Events[Next[L] - 1]) < 0)
        return false;
    }
    Then(Position, R);
  }
}

} // namespace warpwise::execution
