//===- Coalescer.h - From lanes' addresses to lines and sectors -*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_COALESCER_H
#define WARPWISE_ANALYZER_REUSE_TRACE_COALESCER_H

#include "analyzer/access/AccessModel.h"
#include "analyzer/reuse/Trace.h"

namespace warpwise::reuse {

inline Access::Kind kindOf(access::Operation Op) {
  switch (Op) {
  case access::Operation::Load:
    return Access::Kind::Load;
  case access::Operation::Store:
    return Access::Kind::Store;
  case access::Operation::Atomic:
    return Access::Kind::Atomic;
  }
  return Access::Kind::Load;
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
  /// \p LocalBase: the address of the warp's local memory.
  Coalescer(WarpTrace &Out, uint64_t LocalBase)
      : Out(Out), LocalBase(LocalBase) {}

  /// A request of the lanes of \p Rows, \p Bytes for each lane. \p Like tells
  /// everything but line and sectors.
  void add(const LaneRow *Rows, size_t Count, unsigned Bytes,
           const Access &Like);
  void addBarrier(uint32_t Site);

private:
  WarpTrace &Out;
  const uint64_t LocalBase;
  std::vector<uint64_t> Sectors;

  void appendRange(uint64_t From, uint64_t To, size_t Begin,
                   const Access &Like);
  void addInOrder(const LaneRow &Row, unsigned Bytes, const Access &Like);
  void addScattered(const LaneRow *Rows, size_t Count, unsigned Bytes,
                    const Access &Like);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_COALESCER_H
