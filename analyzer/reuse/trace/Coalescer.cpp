//===- Coalescer.cpp - From lanes' addresses to lines and sectors ---------===//

#include "analyzer/reuse/trace/Coalescer.h"

#include <algorithm>

namespace warpwise::reuse {
namespace {

constexpr unsigned SectorsPerLine = LineBytes / SectorBytes;
/// Local memory holds the same word of all lanes side by side.
constexpr unsigned WordBytes = 4, LaneCount = 32;

} // namespace

/// Adds the sectors \p From to \p To to the request that began at \p Begin.
/// They come in order.
void Coalescer::appendRange(uint64_t From, uint64_t To, size_t Begin,
                            const Access &Like) {
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
    Out.push_back(Like);
    Out.back().Line = Line;
    Out.back().Sectors = Mask;
    Out.back().Last = false;
  }
}

void Coalescer::addInOrder(const LaneRow &Row, unsigned Bytes,
                           const Access &Like) {
  const size_t Begin = Out.size();
  const uint64_t Last = Row.First + uint64_t(Row.Stride) * (Row.Lanes - 1);
  const uint64_t Low = Row.Stride < 0 ? Last : Row.First;
  const uint64_t High = Row.Stride < 0 ? Row.First : Last;
  const auto Step = uint64_t(Row.Stride < 0 ? -Row.Stride : Row.Stride);
  if (Step <= SectorBytes)
    appendRange(Low / SectorBytes, (High + Bytes - 1) / SectorBytes, Begin,
                Like);
  else
    for (uint64_t At = Low, N = 0; N != Row.Lanes; ++N, At += Step)
      appendRange(At / SectorBytes, (At + Bytes - 1) / SectorBytes, Begin,
                  Like);
  Out.back().Last = true;
}

void Coalescer::addScattered(const LaneRow *Rows, size_t Count, unsigned Bytes,
                             const Access &Like) {
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
        Sectors.push_back((LocalBase + (Word * LaneCount + Lane) * WordBytes) /
                          SectorBytes);
    }
  if (!std::is_sorted(Sectors.begin(), Sectors.end()))
    std::sort(Sectors.begin(), Sectors.end());
  const size_t Begin = Out.size();
  for (uint64_t S : Sectors)
    appendRange(S, S, Begin, Like);
  Out.back().Last = true;
}

void Coalescer::add(const LaneRow *Rows, size_t Count, unsigned Bytes,
                    const Access &Like) {
  if (Count == 1 && !Like.Local)
    addInOrder(*Rows, Bytes, Like);
  else
    addScattered(Rows, Count, Bytes, Like);
}

void Coalescer::addBarrier(uint32_t Site) {
  Access Barrier;
  Barrier.Site = Site;
  Barrier.What = Access::Kind::Barrier;
  Out.push_back(Barrier);
}

} // namespace warpwise::reuse
