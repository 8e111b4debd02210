//===- BlockPlacement.h - How blocks find their SM --------------*- C++ -*-===//
//
// From where and when each block of a launch ran to the rule that placed it:
// the order of the first wave, and where later blocks go.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_BLOCKPLACEMENT_H
#define WARPWISE_PROFILER_INFERENCE_BLOCKPLACEMENT_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::inference {

/// What a block noted. Laid out as the GPU writes it.
struct BlockVisit {
  uint64_t Begin = 0, End = 0;           ///< of the global timer, in ns
  uint64_t BeginClock = 0, EndClock = 0; ///< of the SM
  uint32_t Sm = 0;
};

/// SM of each block of the first wave: those that began before any ended.
/// \p Visits are by the number of the block, here and below.
std::vector<unsigned> firstWave(std::span<const BlockVisit> Visits);

/// Share of positions, of those that both have, with the same SM.
double agreement(std::span<const unsigned> A, std::span<const unsigned> B);

/// Share of the steps from one block's SM to the next block's in \p B that \p A
/// makes as well: 1 when the order is the same from another start.
double sameSteps(std::span<const unsigned> A, std::span<const unsigned> B);

/// In a word whether launches place blocks alike, by the least agreement() and
/// the median of sameSteps() with the first one.
std::string_view repeatability(double Agreement, double SameSteps);

/// What the order of the first wave looks like, in a word.
std::string placementRule(std::span<const unsigned> Sms, unsigned SmCount);

/// Consecutive blocks that go to one SM before the next gets one, the mean.
double blocksPerTurn(std::span<const unsigned> Sms);

/// Blocks of the first round of SMs between the two of an (assumed) TPC, the
/// median.
double neighbourDistance(std::span<const unsigned> Sms, unsigned SmCount);

/// Share of consecutive blocks that lie in different GPCs. \p Gpc is by SM.
double gpcChanges(std::span<const unsigned> Sms, std::span<const unsigned> Gpc);

/// How the blocks after the first wave found their SM.
struct LaterWaves {
  unsigned Blocks = 0;
  unsigned ToFirstFree = 0;   ///< on the SM whose block ended next
  unsigned Periodic = 0;      ///< on the SM of the block one wave earlier
  std::vector<double> Refill; ///< from an end to the next begin there, clk

  void add(const LaterWaves &Other);
};
/// Of a launch with one block per SM, \p Wave of them in the first wave. Times
/// within \p Tick are the same.
LaterWaves laterWaves(std::span<const BlockVisit> Visits, size_t Wave,
                      double Tick);

/// How far apart an SM's blocks begin, in clk, when it has room for several.
struct PlacementRounds {
  std::vector<double> First; ///< in the first wave
  std::vector<double> Later; ///< after blocks that ended together
  unsigned Successors = 0;   ///< of Later: blocks with consecutive numbers
};
/// Adds a launch whose blocks all stay equally long, with \p PerSm on an SM: an
/// SM's blocks come in groups, as its first ones did.
void addRounds(std::span<const BlockVisit> Visits, unsigned PerSm,
               PlacementRounds &Into);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_BLOCKPLACEMENT_H
