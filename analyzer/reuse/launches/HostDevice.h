//===- HostDevice.h - The device as host code sees it -----------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_HOSTDEVICE_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_HOSTDEVICE_H

#include "profiler/profile/Profile.h"

#include <cstdint>
#include <map>
#include <string>

namespace warpwise::reuse {

/// Members of cudaDeviceProp that \p Device tells, with those that its
/// architecture fixes and the state that a server's GPU is in by default. For
/// launch::HostSettings.
std::map<std::string, int64_t, std::less<>>
deviceProperties(const profile::Profile &Device);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_HOSTDEVICE_H
