//===- Placement.h - Which blocks run on which SM ---------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_PLACEMENT_H
#define WARPWISE_ANALYZER_REUSE_PLACEMENT_H

#include "analyzer/reuse/CacheOptions.h"
#include "analyzer/reuse/Trace.h"

#include <optional>

namespace warpwise::reuse {

/// How much of a launch an SM holds at once, and what is left for L1.
struct Residency {
  unsigned BlocksPerSm = 0;
  uint64_t CarveoutBytes = 0; ///< shared memory that the SM sets aside
  uint64_t L1Bytes = 0;

  bool operator==(const Residency &) const = default;
};

/// Returns an empty string, or one sentence why no block fits.
std::string residency(const CacheOptions &Options, const LaunchShape &Shape,
                      Residency &Out);

/// Deals the blocks [First, First + Count) of a launch to SMs.
class Placement {
public:
  Placement(const CacheOptions &Options, unsigned BlocksPerSm, uint64_t First,
            uint64_t Count);

  /// The SMs of the blocks that start at once, in the order of their start; an
  /// SM is named once for each.
  const std::vector<unsigned> &firstWave() const { return Wave; }
  /// The next block for \p Sm, which has room for one.
  std::optional<uint64_t> next(unsigned Sm);
  /// The number behind the furthest block that was dealt, from First on. Where
  /// the mapping is the measured one, all before it were.
  uint64_t dealt() const { return Next; }
  /// Leaves out blocks, as SMs would take them that are not simulated.
  void skip(uint64_t Blocks) { Next += Blocks; }

private:
  /// The \p Nth block of \p Sm in the mappings that are fixed beforehand.
  uint64_t fixed(unsigned Sm, uint64_t Nth) const;
  std::vector<unsigned> roundOfSms() const;
  std::vector<unsigned> smallGrid() const;

  const CacheOptions &Options;
  uint64_t First, Count;
  uint64_t Next = 0;             ///< behind the furthest that was dealt
  std::vector<uint64_t> TakenOf; ///< by SM, for the others
  std::vector<unsigned> Wave;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_PLACEMENT_H
