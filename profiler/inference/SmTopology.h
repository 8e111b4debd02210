//===- SmTopology.h - Which SMs belong together -----------------*- C++ -*-===//
//
// From SMs that shared a cluster to GPCs, and from how much SMs slow one
// another down to those of a TPC.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_SMTOPOLOGY_H
#define WARPWISE_PROFILER_INFERENCE_SMTOPOLOGY_H

#include <span>
#include <vector>

namespace warpwise::inference {

/// Sets of SMs, joined pair by pair.
class SmGroups {
public:
  explicit SmGroups(unsigned SmCount);
  void join(unsigned A, unsigned B);
  /// Number of each SM's group, counted by the groups' first members.
  std::vector<unsigned> numbered();

private:
  unsigned leaderOf(unsigned Sm);

  std::vector<unsigned> Parent;
};

/// What groups of SMs that shared a cluster say of the GPCs. A TPC that never
/// shares a cluster with another (an H200 has four of 66) belongs to some GPC,
/// but not to one that clusters show.
struct Gpcs {
  std::vector<unsigned> Members; ///< of each group, how many SMs
  unsigned Count = 0;            ///< groups of more than one TPC
  unsigned LoneSms = 0;          ///< SMs of the others
};
Gpcs gpcsOf(std::span<const unsigned> GroupOfSm);

/// Where clusters of two blocks lay.
struct ClusterPairs {
  unsigned All = 0, OnNeighbours = 0; ///< the latter on SMs 2k and 2k + 1

  void add(unsigned SmA, unsigned SmB);
  /// Of some clusters, the share on neighbours.
  double share() const { return double(OnNeighbours) / All; }
  /// SMs of a TPC by that: 2 where clusters always lie so.
  unsigned tpcSms() const { return share() > 0.999 ? 2 : 1; }
};

/// SMs that stand out by how much they slow another one down.
struct Partners {
  unsigned Count = 0;
  double Usual = 0, Most = 0; ///< of those times
  double Limit = 0;           ///< above which an SM stands out
};
/// \p Times are those of one SM beside each other SM, against alone.
Partners partnersOf(std::span<const double> Times);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_SMTOPOLOGY_H
