//===- Demands.h - What a launch asks of a GPU ------------------*- C++ -*-===//
//
// The access model's costs in the units of the price: requests of the whole
// launch, what they want of the caches, and who wants the same.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PRICE_DEMANDS_H
#define WARPWISE_ANALYZER_PRICE_DEMANDS_H

#include "analyzer/model/AccessModel.h"

#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace warpwise::price {

/// The requests that one access makes in a launch.
struct SiteTraffic {
  access::Space Memory = access::Space::Global;
  access::Operation Op = access::Operation::Load;
  double Requests = 0;
  double PerWarp = 0; ///< of a warp that makes some
  double Lanes = 0;   ///< active, mean
  unsigned Bytes = 0; ///< of a lane
  /// Means of a request; see access::Cost.
  double Sectors = 0, Lines = 0, LinePasses = 0, Wavefronts = 0, Words = 0;
  double LostLines = 0;
  double Waits = 0;
  std::optional<unsigned> WaitGroup;
  std::optional<unsigned> Root; ///< see access::Access
  /// Stores: of the sectors, as many as are left to write when all that
  /// siblings store is merged.
  double Together = 0;
  /// Of the sectors, those that L1 does not have; of the requests of a warp,
  /// those that wait for some of them.
  double Missing = 1, MissingRequests = 1;
  /// Of the sectors, those that the warp has had before; see access::Footprint.
  std::array<double, access::Footprint().Again.size()> Again{};
  /// Loads: of the sectors, as many as are the access's own when those that
  /// siblings ask for, too, are shared out among them.
  double Distinct = 0;
  /// Of the missing sectors, those that no other block asks for: what DRAM has
  /// to bring at least once.
  double Unique = 1;
  /// Of the missing sectors, those that the next block along x, y and z does
  /// not want.
  std::array<double, 3> FreshBeside{1, 1, 1};
  /// Of the missing sectors, those of which the next block along x, y and z
  /// wants the very same bytes.
  std::array<double, 3> SameBeside{};
  /// Of written sectors, those that were read before: they have their place.
  double AlsoRead = 0;
  /// Of the bytes of these sectors, those that somebody uses.
  double Used = 1;
  /// Atomics; see access::Footprint. Turns are 0 where they are not known.
  double OwnSectors = 1, OwnBytes = 1, Turns = 0;
  /// Which word hangs on data; see access::Cost.
  bool IsIndexed = false;
  /// Data lead each lane to another place.
  bool IsChosen = false;
  /// Atomics; see access::Access.
  bool IsFloat = false, IsJoined = false;
  /// Global memory: a compare-and-swap that a loop repeats. Requests counts the
  /// loops, however many rounds each takes.
  access::SwapLoop Swaps = access::SwapLoop::None;
  /// Shared atomics that are loops, else 0; see access::Cost. And of what a
  /// block's lanes do, the share that one word gets from other warps.
  double SwapRounds = 0, ForeignTurns = 0;
  /// L1 is passed by: the source marks it volatile.
  bool IsVolatile = false;
  /// A copy to shared memory that goes past the registers (cp.async).
  bool IsAsyncCopy = false;
  /// Where how often loops run it is not known: whether one around it goes over
  /// the grid, which is taken to be long, and how many others there are.
  bool HasOpenGridLoop = false;
  unsigned UnknownLoops = 0;
  /// Lanes want sectors here and there: so many of each line that they touch,
  /// in so many bytes, where that is known and bounds what they touch.
  bool IsRandom = false;
  double UsedSectors = 1;
  /// Of the sectors, those that data choose from all of an object, and that the
  /// block has chosen before.
  double ChosenAgain = 0;
  std::optional<double> ExtentBytes;
  /// Sectors that lie side by side wherever data lead.
  double SideBySide = 1;
  /// Of what it goes to; without end where that is not known.
  double ObjectBytes = std::numeric_limits<double>::infinity();
  bool IsCounted = false, RoundsAddUp = false,
       Gathers = false; ///< see access::Access
};

/// Of the requests of \p T only \p Share is made, for the same data.
void keepRequests(SiteTraffic &T, double Share);

/// All that a launch asks of a GPU.
struct Demands {
  access::Work Besides;
  unsigned Registers = 0;  ///< of a thread; 0: not known
  double PrivateBytes = 0; ///< of a thread, in local memory
  std::optional<launch::Dim3> Grid;
  /// As Kernel::Accesses, and behind these what bulk copies bring.
  std::vector<SiteTraffic> Sites;
  /// What registers have no room for. Where in the kernel nvcc has put it
  /// nobody knows: half of it is taken to be in what runs most often.
  std::vector<SiteTraffic> Spills;
};

/// Of launch \p Launch of \p K.
Demands demandsOf(const access::Kernel &K, unsigned Launch);

/// Of what \p Blocks in a row want, the share that is left when each takes from
/// the one before what is not \p Fresh.
inline double uniqueOf(double Blocks, double Fresh) {
  return (1 + (Blocks - 1) * Fresh) / Blocks;
}

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_DEMANDS_H
