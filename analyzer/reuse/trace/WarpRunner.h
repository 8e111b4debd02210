//===- WarpRunner.h - Runs a warp's lanes one after the other ---*- C++ -*-===//
//
// For kernels whose threads need nothing from each other: each lane is a call
// of a compiled slice. Of a row of lanes that is known to be affine only the
// first, second and last one run. Otherwise all lanes run, and their streams
// are put together by loop rounds and positions.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACE_WARPRUNNER_H
#define WARPWISE_ANALYZER_REUSE_TRACE_WARPRUNNER_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/trace/Coalescer.h"
#include "analyzer/reuse/trace/LaneCode.h"

#include <array>
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

  /// Nothing for memory that has no lines in L1. What lies nowhere is taken to
  /// belong to the buffers.
  std::optional<uint64_t> device(uint64_t Address) const {
    for (const Region &R : Others)
      if (Address - R.Begin < R.End - R.Begin) [[unlikely]]
        return R.IsTraced ? std::optional(Address - R.Begin + R.Device)
                          : std::nullopt;
    return Address + Delta;
  }

private:
  uint64_t Delta;
  std::vector<Region> Others;
};

class WarpRunner {
public:
  /// \p Sites: the site of each position.
  WarpRunner(const LaneCode &Code, const LaunchShape &Shape,
             const AddressMap &Addresses, std::vector<uint32_t> Sites);
  ~WarpRunner();
  WarpRunner(const WarpRunner &) = delete;
  WarpRunner &operator=(const WarpRunner &) = delete;

  /// Appends the accesses of warp \p Warp of a block. False when a thread does
  /// not come to an end.
  bool run(void **Arguments, const std::array<uint32_t, 3> &Block,
           unsigned Warp, uint64_t LocalBase, WarpTrace &Out);

  /// Warps that three lanes of each row told all about.
  uint64_t affineWarps() const { return AffineWarps; }

private:
  struct Stream {
    const uint64_t *Begin = nullptr, *End = nullptr;
    size_t size() const { return size_t(End - Begin); }
  };
  /// Lanes with the same threadIdx.y and z, and the streams of three of them.
  struct Row {
    unsigned FirstLane = 0, Lanes = 0;
    Stream First, Second, Last;
  };
  /// Where a lane is in its stream.
  struct Cursor {
    const uint64_t *At = nullptr, *End = nullptr;
    std::vector<uint32_t> Rounds; ///< by loop
  };
  /// Lanes in the same rounds of all loops whose next event is the earliest.
  struct Group {
    std::vector<uint8_t> Lanes;
    const Cursor *Waiting = nullptr; ///< the first of the others
  };

  const LaneCode &Code;
  const LaunchShape &Shape;
  const AddressMap &Addresses;
  const std::vector<uint32_t> Sites;
  std::array<uint64_t *, 32> Buffers{}; ///< by lane
  std::vector<Row> Rows;
  std::vector<LaneRow> Together;
  std::array<Cursor, 32> Cursors;
  std::vector<std::vector<uint32_t>> InnerLoops; ///< by loop
  uint64_t AffineWarps = 0;

  bool runLane(void **Arguments, unsigned Warp, unsigned Lane, uint64_t Most,
               Stream &Into);
  void findRows(unsigned Warp);
  bool runRows(void **Arguments, unsigned Warp, bool &Stopped);
  static bool isAffine(const Row &R);
  bool takeSamePath() const;
  void emitRows(Coalescer &Out);
  bool runAll(void **Arguments, unsigned Warp, Coalescer &Out);
  int order(const Cursor &A, const Cursor &B) const;
  void enterRound(Cursor &C, int32_t Loop);
  static bool hasNext(Cursor &C);
  bool findGroup(unsigned Lanes, Group &G);
  bool staysTogether(Group &G);
  void step(const Group &G, Coalescer &Out);
  void emit(Coalescer &Out, const StreamPoint &P, uint32_t Site);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACE_WARPRUNNER_H
