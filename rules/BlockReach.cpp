//===- BlockReach.cpp - What a block gets to by an access -----------------===//

#include "rules/BlockReach.h"

#include "profiler/profile/ArchitectureLimits.h"

#include <algorithm>
#include <cmath>

namespace warpwise::rules {

using access::Access;
using access::Cost;
using access::Kernel;

namespace {

/// Lanes side by side, or all at one address: shared memory serves either
/// without a conflict.
bool isPlainPattern(const Access &A, const Cost &C) {
  return C.Worst && C.Worst->Stride && !C.Worst->IsMadeUp &&
         (*C.Worst->Stride == 0 || *C.Worst->Stride == int64_t(A.Bytes));
}

/// Where other places of the source load neighbours of the same, it is the
/// window of a stencil, which L1 serves well.
bool isWindow(const Kernel &K, const Access &A) {
  return A.Slides ||
         (A.Group && std::any_of(K.Accesses.begin(), K.Accesses.end(),
                                 [&](const Access &B) {
                                   return B.Group == A.Group &&
                                          B.Where != A.Where;
                                 }));
}

} // namespace

double warpsOf(const access::Work &W) {
  return W.Blocks * std::ceil(W.BlockThreads / double(access::WarpLanes));
}

bool isExecuted(const Kernel &K, const Cost &C) {
  return C.Launch < K.Works.size() && C.Weight > 0;
}

bool hasReach(const Kernel &K, const Cost &C) {
  return isExecuted(K, C) && C.Sectors && C.Reach;
}

double blockRequests(const Kernel &K, const Cost &C) {
  return C.Weight / K.Works[C.Launch].Blocks;
}

double blockSectors(const Kernel &K, const Cost &C) {
  return blockRequests(K, C) * *C.Sectors * C.Reach->FreshSectors;
}

bool isOneAddress(const Cost &C) {
  return (C.State == access::Proof::Exact ||
          C.State == access::Proof::Bounded) &&
         C.Worst && C.Worst->Stride == 0 && C.Sectors == 1.0;
}

/// Whether along each axis with other blocks \p Holds what the next one leaves
/// of the sectors of \p C.
template <class F>
static bool alongBlocks(const Kernel &K, const Cost &C, F Holds) {
  const auto &Grid = K.Launches[C.Launch].Grid;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if ((!Grid || (*Grid)[Axis] > 1) && !Holds(C.Reach->FreshBeside[Axis]))
      return false;
  return true;
}

bool isSameForBlocks(const Kernel &K, const Cost &C) {
  // What other accesses of the block ask for first is for them to say.
  return C.Reach->FreshSectors <= 0 ||
         alongBlocks(K, C, [](double Fresh) { return Fresh <= 0; });
}

bool isApart(const Kernel &K, const Cost &C) {
  return alongBlocks(K, C, [](double Fresh) { return Fresh >= 1; });
}

bool isSmallTable(const Kernel &K, const Cost &C, double SectorBytes) {
  return isOneAddress(C) && isSameForBlocks(K, C) &&
         blockSectors(K, C) * SectorBytes <= double(profile::ConstantBytes);
}

std::optional<double> timesInTiles(const Kernel &K, const Access &A,
                                   const Cost &C) {
  // A sector that a block wants less often does not pay for two barriers, and
  // fewer rounds make no tile.
  constexpr double LeastTimes = 8, LeastRounds = 16;
  // What only the warp itself wants again it does not share with the block.
  constexpr double ForOthers = 2;
  if (A.Memory != access::Space::Global || A.Op != access::Operation::Load ||
      A.Sort != Access::Kind::Plain || A.LoopDepth == 0 || isWindow(K, A) ||
      !hasReach(K, C) || C.DataDecides || C.PerWarp < LeastRounds ||
      C.Reach->FreshSectors <= 0 || C.Reach->FreshSectors > 1 / LeastTimes ||
      C.Reach->FreshRequests < ForOthers * C.Reach->FreshSectors ||
      !isPlainPattern(A, C))
    return std::nullopt;
  return 1 / C.Reach->FreshSectors;
}

} // namespace warpwise::rules
