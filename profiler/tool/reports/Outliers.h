//===- Outliers.h - GPUs that are not like their peers ----------*- C++ -*-===//
//
// The page of `warpwise profiles outliers FILES`: of many GPUs of one kind,
// which one is slower, throttled or has less of something than the others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_OUTLIERS_H
#define WARPWISE_PROFILER_TOOL_REPORTS_OUTLIERS_H

#include "profiler/profile/Profile.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warpwise::reports {

/// A quantity of one profile that is away from those of its peers.
struct Outlier {
  std::string Profile; ///< its name
  std::string Path;    ///< "levels.dram.bandwidth_read"
  std::string What;    ///< "3,912 GB/s, 15.3 % below the median 4,617 GB/s"
  double Size = 0;     ///< how many times the noise; no number: infinite
};

struct OutlierSearch {
  std::vector<Outlier> Outliers; ///< by profile, the largest first
  /// Profiles in groups of at least three of the same GPU.
  size_t Compared = 0;
  /// Those of which there are fewer: they have no peers to be compared with.
  std::vector<std::string> Alone;
};

/// The fewest GPUs of a kind of which one can be called the odd one.
constexpr size_t FewestPeers = 3;

/// Profiles of the same GPU name and architecture are peers. Bandwidths,
/// latencies and clocks (GB/s, B/clk, clk, ns, MHz) that were measured are
/// compared with the median of all peers that have them, at least three. Noise
/// is the largest of
///  - 2 % of the median, or 1.5 cycles, as in `profiles check`;
///  - half the 95 % interval of the value, and the median of its peers' halves;
///  - five times the spread of the peers, the median of their distances from
///    the median times 1.4826 (the standard deviation of a normal
///    distribution): GPUs of a kind are not equal, and among hundred quantities
///    three times the spread would name somebody by chance.
/// Sizes (B) and what the driver says have to be equal to what most have, words
/// too; what most have been able to measure has to be there. Left out are the
/// sections validation and run.
OutlierSearch findOutliers(const std::vector<profile::Profile> &Profiles);

/// The page: a line for each outlier, and the verdict in the last one. Control
/// characters in names are replaced, so the text is safe to print.
std::string outlierPage(const OutlierSearch &Found);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_OUTLIERS_H
