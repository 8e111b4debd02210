//===- RandomRequest.cpp - A warp whose indices nobody knows --------------===//

#include "profiler/warp/RandomRequest.h"

#include <algorithm>

namespace warpwise::warp {

uint32_t RandomRequest::active() const {
  uint32_t All = 0;
  for (uint32_t Group : Groups)
    All |= Group;
  return All;
}

std::optional<uint64_t> RandomRequest::elements() const {
  if (!ObjectBytes)
    return std::nullopt;
  // The last element may be cut off behind its field.
  return std::max<uint64_t>(1, (*ObjectBytes + Stride - Bytes) / Stride);
}

std::vector<uint32_t> neighbourGroups(uint32_t Active, unsigned GroupLanes) {
  std::vector<uint32_t> Groups;
  for (unsigned First = 0; First < RequestLaw::Lanes; First += GroupLanes) {
    const unsigned Count = std::min(GroupLanes, RequestLaw::Lanes - First);
    const uint32_t Mask = Count == RequestLaw::Lanes ? ~0u : (1u << Count) - 1;
    if (const uint32_t Group = Active & Mask << First)
      Groups.push_back(Group);
  }
  return Groups;
}

} // namespace warpwise::warp
