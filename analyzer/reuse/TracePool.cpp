//===- TracePool.cpp - Resident traces in little memory -------------------===//

#include "analyzer/reuse/TracePool.h"

#include "analyzer/reuse/Bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

bool same(const SharedTrace &A, const SharedTrace &B) {
  return A.Accesses.size() == B.Accesses.size() && A.Sites == B.Sites &&
         (A.Accesses.empty() ||
          std::memcmp(A.Accesses.data(), B.Accesses.data(),
                      A.Accesses.size() * sizeof(PackedAccess)) == 0);
}

bool fits(int64_t Distance) {
  return Distance >= std::numeric_limits<int32_t>::min() &&
         Distance <= std::numeric_limits<int32_t>::max();
}

void count(SharedTrace &Trace) {
  Trace.Counts.assign(Trace.Sites.size(), {});
  bool Begins = true;
  for (const PackedAccess &A : Trace.Accesses) {
    SlotCounts &C = Trace.Counts[A.Slot];
    const unsigned Sectors = unsigned(std::popcount(A.Sectors));
    if (A.kind() == LineAccess::Kind::Load) {
      C.LoadRequests += Begins;
      C.LoadSectors += Sectors;
      C.LocalLoadSectors += A.Local * Sectors;
    } else if (A.kind() == LineAccess::Kind::Store) {
      C.StoreRequests += Begins;
      C.StoreSectors += Sectors;
      C.LocalStoreSectors += A.Local * Sectors;
    } else if (A.kind() == LineAccess::Kind::Atomic) {
      C.AtomicRequests += Begins;
      C.AtomicSectors += Sectors;
    }
    Begins = A.Last;
  }
}

} // namespace

void SharedTrace::countRequests(uint64_t Warps, Traffic *Rows) const {
  for (size_t Slot = 0; Slot != Sites.size(); ++Slot) {
    Traffic &T = Rows[Sites[Slot]];
    const SlotCounts &C = Counts[Slot];
    T.LoadRequests += double(Warps * C.LoadRequests);
    T.StoreRequests += double(Warps * C.StoreRequests);
    T.AtomicRequests += double(Warps * C.AtomicRequests);
    T.LoadSectors += double(Warps * C.LoadSectors);
    T.LoadHits += double(Warps * C.LoadSectors);
    T.StoreSectors += double(Warps * C.StoreSectors);
    T.LocalLoadSectors += double(Warps * C.LocalLoadSectors);
    T.LocalStoreSectors += double(Warps * C.LocalStoreSectors);
    T.AtomicSectors += double(Warps * C.AtomicSectors);
  }
}

std::string TracePool::intern(const WarpTrace &Trace, WarpCode &Out) {
  ++Epoch;
  Scratch.Accesses.clear();
  Scratch.Sites.clear();
  Out.Bases.clear();
  uint64_t Hash = Trace.size();
  for (const LineAccess &A : Trace) {
    if (A.Site >= SlotOfSite.size())
      return fmt::format("a trace names site {} of {}", A.Site,
                         SlotOfSite.size());
    Known &K = SlotOfSite[A.Site];
    const bool Is = K.Epoch == Epoch;
    int64_t Distance = Is ? int64_t(A.Line - Out.Bases[K.Slot]) : 0;
    // A site that jumps too far goes on from another base.
    if (!Is || !fits(Distance)) {
      K = {Epoch, uint32_t(Scratch.Sites.size())};
      Scratch.Sites.push_back(A.Site);
      Out.Bases.push_back(A.Line);
      Distance = 0;
      if (K.Slot > std::numeric_limits<uint16_t>::max())
        return "a warp's trace jumps too often over more than 256 GiB";
    }
    PackedAccess P;
    P.Distance = int32_t(Distance);
    P.Slot = uint16_t(K.Slot);
    P.Sectors = A.Sectors;
    // All of the byte, as traces are compared byte by byte.
    const uint8_t Flags =
        uint8_t(unsigned(A.What) | unsigned(A.Local) << 2 |
                unsigned(A.Last) << 3 | unsigned(A.PastL1) << 4);
    std::memcpy(reinterpret_cast<char *>(&P) + 7, &Flags, 1);
    Hash = std::rotl(mixed(Hash ^ std::bit_cast<uint64_t>(P)), 29);
    Scratch.Accesses.push_back(P);
  }
  if (Hash == LastHash)
    if (std::shared_ptr<const SharedTrace> Old = Last.lock();
        Old && same(*Old, Scratch)) {
      Out.Trace = std::move(Old);
      return "";
    }
  LastHash = Hash;
  const auto [First, End] = ByHash.equal_range(Hash);
  for (auto At = First; At != End; ++At)
    if (std::shared_ptr<const SharedTrace> Old = At->second.lock();
        Old && same(*Old, Scratch)) {
      Last = Old;
      Out.Trace = std::move(Old);
      return "";
    }
  count(Scratch);
  const uint64_t Bytes = Scratch.Accesses.size() * sizeof(PackedAccess);
  *BytesInUse += Bytes;
  Out.Trace = std::shared_ptr<const SharedTrace>(
      new SharedTrace(Scratch),
      [Bytes, InUse = BytesInUse](const SharedTrace *Trace) {
        *InUse -= Bytes;
        delete Trace;
      });
  ByHash.emplace(Hash, Out.Trace);
  Last = Out.Trace;
  if (ByHash.size() > CleanAt) {
    std::erase_if(ByHash,
                  [](const auto &Each) { return Each.second.expired(); });
    CleanAt = std::max<size_t>(1024, 2 * ByHash.size());
  }
  return "";
}

std::string TracePool::move(const Likeness &Like, WarpCode &Out) const {
  const WarpCode &Model = Models[Like.Place];
  const size_t Slots = Like.Moves.size();
  if (!Model.Trace || Model.Bases.size() != Slots)
    return "a warp is like one that has other sites";
  Out.Trace = Model.Trace;
  Out.Bases.resize(Slots);
  for (size_t Slot = 0; Slot != Slots; ++Slot)
    Out.Bases[Slot] = Model.Bases[Slot] + Like.Moves[Slot];
  return "";
}
