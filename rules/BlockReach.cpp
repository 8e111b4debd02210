//===- BlockReach.cpp - What a block gets to by an access -----------------===//

#include "rules/BlockReach.h"

#include "profiler/profile/ArchitectureLimits.h"

namespace warpwise::rules {

using access::Cost;
using access::Kernel;

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

bool isSameForBlocks(const Kernel &K, const Cost &C) {
  const auto &Grid = K.Launches[C.Launch].Grid;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if ((!Grid || (*Grid)[Axis] > 1) && C.Reach->FreshBeside[Axis] > 0)
      return false;
  return true;
}

bool isSmallTable(const Kernel &K, const Cost &C, double SectorBytes) {
  return isOneAddress(C) && isSameForBlocks(K, C) &&
         blockSectors(K, C) * SectorBytes <= double(profile::ConstantBytes);
}

} // namespace warpwise::rules
