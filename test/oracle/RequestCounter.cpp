//===- RequestCounter.cpp - From threads' events to requests --------------===//

#include "RequestCounter.h"

#include <algorithm>
#include <bit>

namespace warpwise::oracle {
namespace {

using access::Space;

/// True when every lane of \p A has the same address in \p B.
bool agree(const warp::LaneAddresses &A, const warp::LaneAddresses &B,
           uint32_t Lanes) {
  for (unsigned L = 0; L != access::WarpLanes; ++L)
    if ((Lanes >> L & 1) && A[L] != B[L])
      return false;
  return true;
}

} // namespace

RequestCounter::RequestCounter(const Numbering &Numbers,
                               const DeviceMemory &Memory,
                               const std::vector<View> &Views)
    : Numbers(Numbers), Memory(Memory) {
  for (const View &V : Views)
    if (auto [At, New] = Counts.try_emplace(V); New)
      ByPosition[V.Position].emplace_back(V, &At->second);
}

bool RequestCounter::addWarp(const std::vector<const LaneTrace *> &Lanes) {
  for (auto &[V, C] : Counts)
    C.SeenInWarp = false;
  for (Changes &C : Memories)
    ++C.Epoch;
  return execution::forEachRequest(
      Lanes,
      [&](uint32_t Position, const LaneSet &R) { addRequest(Position, R); });
}

void RequestCounter::addRequest(uint32_t Position, const LaneSet &R) {
  const Point &P = Numbers.Points[Position];
  if (P.What == Point::Kind::Barrier) {
    for (Changes &C : Memories)
      ++C.Epoch;
    return;
  }
  const std::optional<Space> Where =
      Memory.spaceOf(R.Addresses[std::countr_zero(R.Active)], P.Bytes);
  for (auto &[Which, Into] : ByPosition[Position])
    count(Which, *Into, R, Where, P.Op);
  if (P.Op == access::Operation::Load)
    return;
  Changes &C = Memories[Where == Space::Shared];
  ++C.Epoch;
  if (P.Op == access::Operation::Store) {
    C.Store = R;
    C.StoreEpoch = C.Epoch;
    C.Bytes = P.Bytes;
  }
}

/// A compiler would have the result of this load in a register: the same load
/// or a store to the same addresses came before it in the warp, made by at
/// least these lanes, and nothing since can have changed the memory.
bool RequestCounter::isInRegister(const View &Which, const Count &C,
                                  const LaneSet &R, std::optional<Space> Where,
                                  access::Operation Op) const {
  if (Op != access::Operation::Load || !Which.IsPlain || !C.SeenInWarp)
    return false;
  const Changes &M = Memories[Where == Space::Shared];
  if (!(R.Active & ~C.Last.Active) &&
      agree(C.Last.Addresses, R.Addresses, R.Active) &&
      (C.Epoch == M.Epoch || Where == Space::Constant))
    return true;
  return M.StoreEpoch == M.Epoch && M.Bytes == Which.Bytes &&
         !(R.Active & ~M.Store.Active) &&
         agree(M.Store.Addresses, R.Addresses, R.Active);
}

/// Brute force is slow, and most requests are the one before moved on by whole
/// lines of 128 bytes, to which every cost is indifferent.
Costs RequestCounter::costsOf(const View &Which, const Count &Before,
                              const LaneSet &R) {
  constexpr uint64_t Line = 128;
  if (Before.Total.Requests > 0 && Before.Last.Active == R.Active) {
    const unsigned First = unsigned(std::countr_zero(R.Active));
    const uint64_t Moved = R.Addresses[First] - Before.Last.Addresses[First];
    warp::LaneAddresses Shifted = Before.Last.Addresses;
    for (uint64_t &Address : Shifted)
      Address += Moved;
    if (Moved % Line == 0 && agree(Shifted, R.Addresses, R.Active))
      return Before.LastCosts;
  }
  const Costs C = bruteForce(R.Addresses, R.Active, Which.Bytes, Which.What);
  if (C != libraryCosts(R.Addresses, R.Active, Which.Bytes, Which.What))
    ++LibraryErrors;
  return C;
}

void RequestCounter::count(const View &Which, Count &Into, const LaneSet &Whole,
                           std::optional<Space> Where, access::Operation Op) {
  LaneSet R = Whole;
  for (uint64_t &Address : R.Addresses) {
    Address += Which.Offset;
    if (Which.AlignsDown)
      Address -= Address % Which.Bytes;
  }
  if (isInRegister(Which, Into, R, Where, Op))
    return;
  const Costs C = costsOf(Which, Into, R);
  Into.SeenInWarp = true;
  Into.Last = R;
  Into.LastCosts = C;
  Into.Epoch = Memories[Where == Space::Shared].Epoch;
  Sums &T = Into.Total;
  ++T.Requests;
  T.Lanes += unsigned(std::popcount(R.Active));
  T.Sectors += C.Sectors;
  T.IdealSectors += C.IdealSectors;
  T.Wavefronts += C.Wavefronts;
  T.IdealWavefronts += C.IdealWavefronts;
  T.Words += C.Words;
  T.Global |= Where == Space::Global;
  T.Shared |= Where == Space::Shared;
  T.Constant |= Where == Space::Constant;
  T.Unmapped |= !Where;
}

} // namespace warpwise::oracle
