//===- RequestWriter.h - From lanes' addresses to accesses ------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_REQUESTWRITER_H
#define WARPWISE_ANALYZER_REUSE_TRACE_REQUESTWRITER_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/lanecode/LaneCode.h"
#include "analyzer/reuse/trace/Coalescer.h"

#include <optional>

namespace warpwise::reuse {

/// From addresses of this process to the device's.
class AddressMap {
public:
  struct Region {
    uint64_t Begin = 0, End = 0, Device = 0;
    bool IsTraced = true; ///< false for shared memory
  };

  AddressMap(uint64_t BuffersBegin, uint64_t DeviceBase)
      : Delta(DeviceBase - BuffersBegin) {}
  void add(const Region &R) { Others.push_back(R); }
  /// Whether all addresses are the buffers'.
  bool isOneRegion() const { return Others.empty(); }

  /// Nothing for memory that has no lines in L1. What lies nowhere is taken to
  /// belong to the buffers, but for what null pointers lead to: that is to be
  /// in the same sets each time, wherever this process has its buffers.
  std::optional<uint64_t> device(uint64_t Address) const {
    for (const Region &R : Others)
      if (Address - R.Begin < R.End - R.Begin) [[unlikely]]
        return R.IsTraced ? std::optional(Address - R.Begin + R.Device)
                          : std::nullopt;
    return Address < EndOfNull ? Address : Address + Delta;
  }

private:
  /// No process has memory below.
  static constexpr uint64_t EndOfNull = 1 << 16;
  uint64_t Delta;
  std::vector<Region> Others;
};

/// What the requests at a position have in common.
struct RequestKind {
  bool IsRequest = false; ///< an access or a barrier
  bool IsPlain = false;   ///< an access of a few bytes to no private array
  unsigned Bytes = 0;
  LineAccess Like;
};

/// By position.
std::vector<RequestKind> requestKinds(const std::vector<StreamPoint> &Points,
                                      const std::vector<uint32_t> &Sites);

/// Appends to the trace of a warp.
class RequestWriter {
public:
  RequestWriter(const std::vector<RequestKind> &Kinds,
                const AddressMap &Addresses, WarpTrace &Out)
      : Kinds(Kinds), Addresses(Addresses), Requests(Out), Out(Out) {}

  size_t size() const { return Out.size(); }
  const RequestKind &kind(uint32_t Position) const { return Kinds[Position]; }

  /// All requests among \p Count entries of a row of lanes, of which two tell
  /// the rest: \p First and \p Second; the same for a row of one.
  void writeRow(const uint64_t *First, const uint64_t *Second, size_t Count,
                unsigned FirstLane, unsigned Lanes);

  /// A request of the lanes of \p Rows, whose addresses are this process's;
  /// changes them.
  void write(uint32_t Position, LaneRow *Rows, size_t Count) {
    const RequestKind &Kind = Kinds[Position];
    if (Kind.Like.What == LineAccess::Kind::Barrier)
      return Requests.addBarrier(Kind.Like.Site);
    if (!Kind.Like.Local)
      for (LaneRow *Row = Rows; Row != Rows + Count; ++Row) {
        const std::optional<uint64_t> Device = Addresses.device(Row->First);
        if (!Device)
          return;
        Row->First = *Device;
      }
    Requests.add(Rows, Count, Kind.Bytes, Kind.Like);
  }

private:
  const std::vector<RequestKind> &Kinds;
  const AddressMap &Addresses;
  Coalescer Requests;
  WarpTrace &Out;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_REQUESTWRITER_H
