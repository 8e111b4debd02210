//===- Mt4g.h - A profile in the format of MT4G -----------------*- C++ -*-===//
//
// `warpwise profiles export NAME --format mt4g`: the JSON of MT4G 1.2
// (github.com/caps-tum/mt4g), which sys-sage reads.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_MT4G_H
#define WARPWISE_PROFILER_TOOL_REPORTS_MT4G_H

#include "profiler/profile/Profile.h"

#include <string>
#include <vector>

namespace warpwise::reports {

/// \p P as MT4G 1.2 writes it. What the profile does not have, or has only as
/// not-measurable or not-converged, is left out; facts of the architecture that
/// MT4G takes from a table as well (threads, blocks and cores of an SM) come
/// from the CUDA Programming Guide. Units are MT4G's: bytes, cycles, kHz,
/// GiB/s. `confidence` is 0.95 where the value has a 95 % interval or an
/// agreeing second method, else absent. A latency's `mean` is the average per
/// load of the chase; percentiles of single loads are not in a profile.
///
/// sys-sage takes some members only together (a latency of L2 or of DRAM with
/// both bandwidths; a texture, read-only or constant cache with size, fetch
/// granularity and latency), so they are written together or not at all.
std::string toMt4g(const profile::Profile &P);

/// Paths of \p P that toMt4g() would need for more: one line each, with what
/// is left out without it. Empty when sys-sage gets everything.
std::vector<std::string> missingForMt4g(const profile::Profile &P);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_MT4G_H
