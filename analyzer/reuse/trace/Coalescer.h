//===- Coalescer.h - From lanes' addresses to lines and sectors -*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_COALESCER_H
#define WARPWISE_ANALYZER_REUSE_TRACE_COALESCER_H

#include "analyzer/model/AccessModel.h"
#include "analyzer/reuse/Trace.h"

namespace warpwise::reuse {

inline LineAccess::Kind kindOf(access::Operation Op) {
  switch (Op) {
  case access::Operation::Load:
    return LineAccess::Kind::Load;
  case access::Operation::Store:
    return LineAccess::Kind::Store;
  case access::Operation::Atomic:
    return LineAccess::Kind::Atomic;
  }
  return LineAccess::Kind::Load;
}

/// Lanes side by side whose addresses have one distance.
struct LaneRow {
  unsigned FirstLane = 0, Lanes = 0;
  uint64_t First = 0; ///< the first lane's address
  int64_t Stride = 0; ///< bytes to the next lane's
};

/// Adds a lane to \p Rows: to the last one, if it goes on like that.
inline void appendLane(std::vector<LaneRow> &Rows, unsigned Lane,
                       uint64_t Address) {
  if (!Rows.empty() && Rows.back().FirstLane + Rows.back().Lanes == Lane) {
    LaneRow &Row = Rows.back();
    const auto Step = int64_t(Address - Row.First);
    if (Row.Lanes == 1)
      Row.Stride = Step;
    if (Step == Row.Stride * Row.Lanes) {
      ++Row.Lanes;
      return;
    }
  }
  Rows.push_back({Lane, 1, Address, 0});
}

/// Appends requests to the trace of a warp. Addresses are the device's; those
/// of local memory are offsets into the frame of a thread.
class Coalescer {
public:
  explicit Coalescer(WarpTrace &Out) : Out(Out) {}

  /// A request of the lanes of \p Rows, \p Bytes for each lane. \p Like tells
  /// everything but line and sectors.
  void add(const LaneRow *Rows, size_t Count, unsigned Bytes,
           const LineAccess &Like) {
    if (Count == 1 && !Like.Local)
      addRow(*Rows, Bytes, Like);
    else if (Like.Local || !addRising(Rows, Count, Bytes, Like))
      addScattered(Rows, Count, Bytes, Like);
  }
  void addBarrier(uint32_t Site);

private:
  static constexpr unsigned SectorsPerLine = LineBytes / SectorBytes;

  WarpTrace &Out;
  std::vector<uint64_t> Sectors;

  void append(const LineAccess &Like, uint64_t Line, unsigned Sectors) {
    LineAccess &A = Out.emplace_back(Like);
    A.Line = Line;
    A.Sectors = uint8_t(Sectors);
    A.Last = false;
  }
  void addRow(const LaneRow &Row, unsigned Bytes, const LineAccess &Like);
  void addSpan(uint64_t From, uint64_t To, const LineAccess &Like);
  void appendRange(uint64_t From, uint64_t To, size_t Begin,
                   const LineAccess &Like);
  void addApart(uint64_t Low, uint64_t Step, const LaneRow &Row, unsigned Bytes,
                const LineAccess &Like);
  bool addRising(const LaneRow *Rows, size_t Count, unsigned Bytes,
                 const LineAccess &Like);
  void addScattered(const LaneRow *Rows, size_t Count, unsigned Bytes,
                    const LineAccess &Like);
};

// Most requests of most kernels are one row of neighbours: no calls for those.

inline void Coalescer::addRow(const LaneRow &Row, unsigned Bytes,
                              const LineAccess &Like) {
  const uint64_t Last = Row.First + uint64_t(Row.Stride) * (Row.Lanes - 1);
  const uint64_t Low = Row.Stride < 0 ? Last : Row.First;
  const uint64_t High = Row.Stride < 0 ? Row.First : Last;
  const auto Step = uint64_t(Row.Stride < 0 ? -Row.Stride : Row.Stride);
  if (Step <= SectorBytes)
    addSpan(Low / SectorBytes, (High + Bytes - 1) / SectorBytes, Like);
  else
    addApart(Low, Step, Row, Bytes, Like);
}

/// All sectors from \p From to \p To.
inline void Coalescer::addSpan(uint64_t From, uint64_t To,
                               const LineAccess &Like) {
  constexpr unsigned All = (1u << SectorsPerLine) - 1;
  const uint64_t Last = To / SectorsPerLine;
  unsigned Sectors = All << From % SectorsPerLine & All;
  for (uint64_t Line = From / SectorsPerLine; Line != Last; ++Line) {
    append(Like, Line, Sectors);
    Sectors = All;
  }
  append(Like, Last, Sectors & ((2u << To % SectorsPerLine) - 1));
  Out.back().Last = true;
}

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_COALESCER_H
