//===- TracePool.h - Resident traces in little memory -----------*- C++ -*-===//
//
// Most warps of a kernel do the same thing at other addresses. A trace is kept
// as distances from the first line that each site touches, and warps with the
// same distances share it: memory and the simulator's own cache misses then
// grow with the number of different warps, not with that of resident ones.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_TRACEPOOL_H
#define WARPWISE_ANALYZER_REUSE_TRACEPOOL_H

#include "analyzer/reuse/Trace.h"
#include "analyzer/reuse/Traffic.h"

#include <memory>
#include <unordered_map>

namespace warpwise::reuse {

/// A LineAccess of a shared trace.
struct PackedAccess {
  int32_t Distance; ///< in lines, from the warp's base in Slot
  uint16_t Slot;
  uint8_t Sectors;
  uint8_t Kind : 2;
  uint8_t Local : 1;
  uint8_t Last : 1;
  uint8_t PastL1 : 1;

  LineAccess::Kind kind() const { return static_cast<LineAccess::Kind>(Kind); }
};
static_assert(sizeof(PackedAccess) == 8);

/// What the accesses of one slot ask for, whatever the caches hold. Sectors of
/// 32 bytes.
struct SlotCounts {
  uint64_t LoadRequests = 0, StoreRequests = 0, AtomicRequests = 0;
  uint64_t LoadSectors = 0, StoreSectors = 0, AtomicSectors = 0;
  uint64_t LocalLoadSectors = 0, LocalStoreSectors = 0;
};

struct SharedTrace {
  std::vector<PackedAccess> Accesses;
  std::vector<uint32_t> Sites;    ///< by slot
  std::vector<SlotCounts> Counts; ///< by slot

  /// Adds what \p Warps warps ask for to \p Rows, which are by site. Loads are
  /// taken to hit until they miss.
  void countRequests(uint64_t Warps, Traffic *Rows) const;
};

/// One warp's trace: what it shares and where it differs.
struct WarpCode {
  std::shared_ptr<const SharedTrace> Trace;
  std::vector<uint64_t> Bases; ///< by slot
};

class TracePool {
public:
  explicit TracePool(size_t SiteCount) : SlotOfSite(SiteCount) {}

  /// Returns an empty string or one sentence.
  std::string intern(const WarpTrace &Trace, WarpCode &Out);
  /// \p Code is the trace of a model from now on.
  void keep(const Likeness &Model, const WarpCode &Code) {
    Models[Model.Place] = Code;
  }
  /// The trace of the model that is kept in a place; there is one.
  const SharedTrace &model(unsigned Place) const {
    return *Models[Place].Trace;
  }
  /// The trace of a warp that is like a model which was kept. Returns an empty
  /// string or one sentence.
  std::string move(const Likeness &Like, WarpCode &Out) const;
  /// Of the shared traces that are in use.
  uint64_t bytes() const { return *BytesInUse; }

private:
  struct Known {
    uint32_t Epoch = 0;
    uint32_t Slot = 0;
  };
  std::vector<Known> SlotOfSite;
  uint32_t Epoch = 0;
  SharedTrace Scratch;
  std::unordered_multimap<uint64_t, std::weak_ptr<const SharedTrace>> ByHash;
  size_t CleanAt = 1024;
  std::array<WarpCode, LikeTraces::MostModels> Models; ///< by place
  /// The last answer, which often is the next one.
  uint64_t LastHash = 0;
  std::weak_ptr<const SharedTrace> Last;
  /// Traces may outlive the pool.
  std::shared_ptr<uint64_t> BytesInUse = std::make_shared<uint64_t>(0);
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_TRACEPOOL_H
