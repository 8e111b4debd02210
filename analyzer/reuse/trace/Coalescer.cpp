//===- Coalescer.cpp - From lanes' addresses to lines and sectors ---------===//

#include "analyzer/reuse/trace/Coalescer.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warpwise::reuse {
namespace {

/// Local memory holds the same word of all lanes side by side.
constexpr unsigned WordBytes = 4, LaneCount = 32;

} // namespace

/// Adds the sectors \p From to \p To to the request that began at \p Begin.
/// They come in order.
void Coalescer::appendRange(uint64_t From, uint64_t To, size_t Begin,
                            const LineAccess &Like) {
  assert(From <= To);
  for (uint64_t Line = From / SectorsPerLine; Line <= To / SectorsPerLine;
       ++Line) {
    const unsigned Low =
        Line == From / SectorsPerLine ? From % SectorsPerLine : 0;
    const unsigned High =
        Line == To / SectorsPerLine ? To % SectorsPerLine : SectorsPerLine - 1;
    const auto Mask = uint8_t((2u << High) - (1u << Low));
    if (Out.size() > Begin && Out.back().Line == Line) {
      Out.back().Sectors |= Mask;
      continue;
    }
    append(Like, Line, Mask);
  }
}

/// A row of lanes with more than a sector from one to the next, \p Low first.
void Coalescer::addApart(uint64_t Low, uint64_t Step, const LaneRow &Row,
                         unsigned Bytes, const LineAccess &Like) {
  assert(Row.Lanes != 0 && Bytes != 0);
  const size_t Begin = Out.size();
  if (std::has_single_bit(Bytes) && Bytes <= SectorBytes &&
      (Low | Step) % Bytes == 0) {
    // Each lane is in one sector.
    uint64_t Before = Low / LineBytes + 1;
    for (uint64_t At = Low, N = 0; N != Row.Lanes; ++N, At += Step) {
      const uint64_t Line = At / LineBytes;
      const unsigned Mask = 1u << At / SectorBytes % SectorsPerLine;
      if (Line == Before)
        Out.back().Sectors |= Mask;
      else
        append(Like, Line, Mask);
      Before = Line;
    }
  } else {
    for (uint64_t At = Low, N = 0; N != Row.Lanes; ++N, At += Step)
      appendRange(At / SectorBytes, (At + Bytes - 1) / SectorBytes, Begin,
                  Like);
  }
  Out.back().Last = true;
}

/// Rows of neighbours, each of which begins where the one before ends or after
/// that. False, and nothing added, when they are not.
bool Coalescer::addRising(const LaneRow *Rows, size_t Count, unsigned Bytes,
                          const LineAccess &Like) {
  const size_t Begin = Out.size();
  uint64_t OldFrom = 0, OldTo = 0;
  for (const LaneRow *Row = Rows; Row != Rows + Count; ++Row) {
    const uint64_t From = Row->First / SectorBytes;
    const uint64_t To =
        (Row->First + uint64_t(Row->Stride) * (Row->Lanes - 1) + Bytes - 1) /
        SectorBytes;
    if (Row != Rows && From == OldFrom && To == OldTo)
      continue;
    if (uint64_t(Row->Stride) > SectorBytes ||
        From / SectorsPerLine < OldTo / SectorsPerLine) {
      Out.resize(Begin);
      return false;
    }
    appendRange(From, To, Begin, Like);
    OldFrom = From;
    OldTo = To;
  }
  Out.back().Last = true;
  return true;
}

void Coalescer::addScattered(const LaneRow *Rows, size_t Count, unsigned Bytes,
                             const LineAccess &Like) {
  Sectors.clear();
  for (const LaneRow *Row = Rows; Row != Rows + Count; ++Row)
    for (unsigned N = 0; N != Row->Lanes; ++N) {
      const uint64_t Address = Row->First + uint64_t(Row->Stride) * N;
      if (!Like.Local) {
        for (uint64_t S = Address / SectorBytes;
             S <= (Address + Bytes - 1) / SectorBytes; ++S)
          Sectors.push_back(S);
        continue;
      }
      const unsigned Lane = Row->FirstLane + N;
      for (uint64_t Word = Address / WordBytes;
           Word <= (Address + Bytes - 1) / WordBytes; ++Word)
        Sectors.push_back(
            (LocalMemoryBase + (Word * LaneCount + Lane) * WordBytes) /
            SectorBytes);
    }
  if (!std::is_sorted(Sectors.begin(), Sectors.end()))
    std::sort(Sectors.begin(), Sectors.end());
  const size_t Begin = Out.size();
  assert(!Sectors.empty() && "a request without lanes");
  for (uint64_t S : Sectors)
    appendRange(S, S, Begin, Like);
  Out.back().Last = true;
}

void Coalescer::addBarrier(uint32_t Site) {
  LineAccess Barrier;
  Barrier.Site = Site;
  Barrier.What = LineAccess::Kind::Barrier;
  Out.push_back(Barrier);
}

} // namespace warpwise::reuse
