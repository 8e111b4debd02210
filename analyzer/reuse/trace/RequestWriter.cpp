//===- RequestWriter.cpp - From lanes' addresses to accesses --------------===//

#include "analyzer/reuse/trace/RequestWriter.h"

namespace warpwise::reuse {
namespace {

/// The largest vectors that one instruction loads.
constexpr unsigned MostPlainBytes = 16;

} // namespace

std::vector<RequestKind> requestKinds(const std::vector<StreamPoint> &Points,
                                      const std::vector<uint32_t> &Sites) {
  std::vector<RequestKind> Kinds(Points.size());
  for (size_t N = 0; N != Points.size(); ++N) {
    const StreamPoint &P = Points[N];
    RequestKind &Kind = Kinds[N];
    Kind.IsRequest = P.What >= StreamPoint::Kind::Access && !P.InRegister;
    Kind.IsPlain = P.What == StreamPoint::Kind::Access && !P.Private &&
                   P.Bytes <= MostPlainBytes;
    Kind.Bytes = P.Bytes;
    Kind.Like.Site = Sites[N];
    Kind.Like.Local = P.Private;
    Kind.Like.PastL1 = P.PastL1;
    Kind.Like.What = P.What == StreamPoint::Kind::Barrier
                         ? LineAccess::Kind::Barrier
                         : kindOf(P.Op);
  }
  return Kinds;
}

// Here is most of the time that traces take: no calls for rows of neighbours.
void RequestWriter::writeRow(const uint64_t *First, const uint64_t *Second,
                             size_t Count, unsigned FirstLane, unsigned Lanes) {
  constexpr unsigned SectorsPerLine = LineBytes / SectorBytes;
  constexpr unsigned AllSectors = (1u << SectorsPerLine) - 1;
  auto add = [&](const LineAccess &Like, uint64_t Line, unsigned Sectors,
                 bool Last) {
    LineAccess A = Like;
    A.Line = Line;
    A.Sectors = uint8_t(Sectors);
    A.Last = Last;
    Out.push_back(A);
  };
  const uint64_t Steps = Lanes - 1;
  for (size_t N = 0; N != Count; ++N) {
    const uint64_t Entry = First[N];
    const auto Position = uint32_t(Entry & PositionMask);
    const RequestKind &Kind = Kinds[Position];
    if (!Kind.IsRequest)
      continue;
    const auto Stride = int64_t(Second[N] - Entry) >> PositionBits;
    const uint64_t Address = Entry >> PositionBits;
    if (!Kind.IsPlain || uint64_t(Stride) > SectorBytes) {
      LaneRow Row{FirstLane, Lanes, Address, Stride};
      write(Position, &Row, 1);
      continue;
    }
    const std::optional<uint64_t> Low = Addresses.device(Address);
    if (!Low)
      continue;
    const uint64_t High = *Low + uint64_t(Stride) * Steps + Kind.Bytes - 1;
    const uint64_t LastLine = High / LineBytes;
    unsigned Sectors =
        AllSectors << *Low / SectorBytes % SectorsPerLine & AllSectors;
    for (uint64_t Line = *Low / LineBytes; Line != LastLine; ++Line) {
      add(Kind.Like, Line, Sectors, false);
      Sectors = AllSectors;
    }
    add(Kind.Like, LastLine,
        Sectors & ((2u << High / SectorBytes % SectorsPerLine) - 1), true);
  }
}

} // namespace warpwise::reuse
