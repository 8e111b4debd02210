//===- Trace.cpp - What a run of a kernel leaves behind -------------------===//

#include "Trace.h"

#include <algorithm>

namespace warpwise::oracle {

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

} // namespace warpwise::oracle
