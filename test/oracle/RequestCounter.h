//===- RequestCounter.h - From threads' events to requests ------*- C++ -*-===//
//
// Puts the events of a warp's lanes together into requests and sums up what
// they cost, for those parts of each access that somebody asks about.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_ORACLE_REQUESTCOUNTER_H
#define WARPWISE_TEST_ORACLE_REQUESTCOUNTER_H

#include "BruteForce.h"

#include "analyzer/execution/DeviceMemory.h"
#include "analyzer/execution/LaneTrace.h"

#include <map>
#include <vector>

namespace warpwise::oracle {

using execution::DeviceMemory;
using execution::LaneSet;
using execution::LaneTrace;
using execution::Numbering;
using execution::Point;

/// A way to look at the access at a position: the canonical IR may split or
/// widen what Clang's raw IR has there.
struct View {
  uint32_t Position = 0;
  unsigned Offset = 0, Bytes = 0;
  bool AlignsDown = false; ///< a wider access around the narrow one
  Request What = Request::Load;
  bool IsPlain = true; ///< a compiler may keep its result in a register

  auto operator<=>(const View &) const = default;
};

struct Sums {
  uint64_t Requests = 0, Lanes = 0;
  uint64_t Sectors = 0, IdealSectors = 0;
  uint64_t Wavefronts = 0, IdealWavefronts = 0, Words = 0;
  /// The spaces that were reached; Unmapped: addresses that lead nowhere.
  bool Global = false, Shared = false, Constant = false, Unmapped = false;
};

class RequestCounter {
public:
  RequestCounter(const Numbering &Numbers, const DeviceMemory &Memory,
                 const std::vector<View> &Views);

  /// Adds what a warp did. The lanes' traces, in order; false when events came
  /// in an order that the numbering does not allow.
  bool addWarp(const std::vector<const LaneTrace *> &Lanes);

  const Sums &sums(const View &Which) const { return Counts.at(Which).Total; }
  /// Requests for which the warp library and brute force disagree.
  uint64_t libraryErrors() const { return LibraryErrors; }

private:
  struct Count {
    Sums Total;
    // The last request that was counted, to tell what is in registers.
    LaneSet Last;
    Costs LastCosts;
    uint64_t Epoch = 0;
    bool SeenInWarp = false;
  };
  /// The last store of the warp into global (0) or shared (1) memory, and the
  /// number of events that can have changed it.
  struct Changes {
    uint64_t Epoch = 1, StoreEpoch = 0;
    LaneSet Store;
    unsigned Bytes = 0;
  };

  const Numbering &Numbers;
  const DeviceMemory &Memory;
  std::map<View, Count> Counts;
  std::map<uint32_t, std::vector<std::pair<View, Count *>>> ByPosition;
  std::array<Changes, 2> Memories;
  uint64_t LibraryErrors = 0;

  void addRequest(uint32_t Position, const LaneSet &R);
  void count(const View &Which, Count &Into, const LaneSet &R,
             std::optional<access::Space> Space, access::Operation Op);
  bool isInRegister(const View &Which, const Count &C, const LaneSet &R,
                    std::optional<access::Space> Space,
                    access::Operation Op) const;
  Costs costsOf(const View &Which, const Count &Before, const LaneSet &R);
};

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_REQUESTCOUNTER_H
