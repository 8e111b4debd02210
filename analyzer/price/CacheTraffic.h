//===- CacheTraffic.h - What L1 and L2 keep for a launch --------*- C++ -*-===//
//
// Which of the sectors that a launch asks for are still in L1 or in L2 when it
// does, and what DRAM has to move for it: by how much its sites want, who wants
// the same, and how long nobody does.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PRICE_CACHETRAFFIC_H
#define WARPWISE_ANALYZER_PRICE_CACHETRAFFIC_H

#include "analyzer/price/Demands.h"
#include "analyzer/price/DeviceRates.h"

#include <array>
#include <map>
#include <utility>

namespace warpwise::price {

/// Whether data lies in L2 when a kernel starts. What a program has just
/// produced does, if it fits.
enum class Caches { Warm, Cold };

/// The blocks of a launch on a device.
struct RunningBlocks {
  double Busy = 1;     ///< blocks that have something to do
  double UsedSms = 1;  ///< by these
  double Resident = 1; ///< blocks that an SM holds at the same time
};

class CacheTraffic {
public:
  CacheTraffic(const Demands &D, const DeviceRates &Device,
               const RunningBlocks &Running, Caches State);

  /// What DRAM has to bring for \p T, or to take, in bytes; those in random
  /// order as so many that it would bring in a row meanwhile.
  double dramBytes(const SiteTraffic &T) const;
  /// Of what the launch touches and has touched the time before, the share that
  /// L2 has lost meanwhile: nothing as long as all of it has room. Of more, a
  /// launch that walks along it soon loses a good part.
  double lostShare() const;
  double lostShareOf(double Bytes) const;
  double uniqueBytes(const SiteTraffic &T) const;
  /// What \p T takes of L2. A sector takes the place of its line, however few
  /// of the others are wanted.
  double placeBytes(const SiteTraffic &T) const;
  /// What shared memory leaves of L1.
  double l1Room() const;
  /// Of the sectors of \p T that a block has not asked for before, those that
  /// L1 has not kept from an earlier block either.
  double missingOfBlocks(const SiteTraffic &T) const;
  /// Of the sectors of \p T, those that L1 has had to give up between two times
  /// that the warp wants them, since all warps of the SM bring lines meanwhile.
  double givenUp(const SiteTraffic &T) const;

private:
  /// An array, and whether it is written.
  using Side = std::pair<unsigned, bool>;

  const Demands &D;
  const DeviceRates &Device;
  const RunningBlocks Running;
  const Caches State;
  std::map<Side, double> UniqueBytes; ///< of all sites that go there
  double PlaceBytes = 0;              ///< that all sites take of L2
  /// Of what the next block along an axis wants, too, the share that L2 has
  /// lost until that block runs.
  std::array<double, 3> LostAlong{};
  double OwnShare = 1;   ///< see ownShare
  double KeptFor = 0;    ///< see keptFor
  double BlockBytes = 0; ///< that the loads of a block bring to L1

  static Side sideOf(const SiteTraffic &T);
  double blockBytes(const SiteTraffic &T) const;
  double missingBytes(const SiteTraffic &T) const;
  double blocksAlong(unsigned Axis) const;
  /// Blocks begin in the order of x, then y, then z: before the next one along
  /// an axis all those along the axes before it do.
  std::array<double, 3> lostAlong() const;
  /// What DRAM brings for \p T at least, blocks that wait too long for what
  /// others have brought included. Those that run at the same time share it.
  double broughtBytes(const SiteTraffic &T) const;
  /// Of what all sites want of an array, the part of \p T: none can take the
  /// place of more than that of it.
  double partOfArray(const SiteTraffic &T) const;
  /// In how many places of L2 a byte of \p T lies, as it has two sides: on one
  /// or both if it is read, on both if it is written (test/gpu/l2-room). What
  /// is read where it is written, too, counts there already, but for a part
  /// between what that says of kernels that change 4 and 16 bytes a thread.
  double placesOf(const SiteTraffic &T) const;
  /// What \p T takes of L2, with what lies on both of its sides.
  double roomOf(const SiteTraffic &T) const;
  /// How often a launch wants a sector that \p T wants in random order.
  double timesWanted(const SiteTraffic &T) const;
  /// How long L2 keeps a sector that nobody wants again, in launches: until
  /// what else is wanted meanwhile fills it. What is wanted often is there as a
  /// rule, however much is read in a row beside it. (Che, Tung and Wang,
  /// Hierarchical Web Caching Systems, 2002: an LRU cache under random
  /// requests.)
  double keptFor() const;
  /// What DRAM brings in random order, as bytes that it would bring in a row
  /// meanwhile.
  double scatteredBytes(const SiteTraffic &T) const;
  /// Of what warps touch for the first time, the share that no other warp of
  /// the launch touches.
  double ownShare() const;
  double warpsOfSm() const;
  /// What DRAM brings for \p T once more, since L2 has lost it between two
  /// times that a warp wants it: all warps of the device bring lines meanwhile.
  double broughtAgainBytes(const SiteTraffic &T) const;
  /// Of the first \p Rounds blocks of an SM, those that want of \p T what none
  /// of the \p Held before them that differ does.
  double newOfRounds(const SiteTraffic &T, double Rounds, size_t Held) const;
  /// Of the blocks that an SM runs one after the other, the share for which L1
  /// no longer has what \p T wants, if it has room for what \p Room blocks
  /// want. The next block on an SM is as many further on as there are SMs, so a
  /// block of the same column is soon back where the columns divide their
  /// number. Windows that overlap with the neighbour's do not with those of a
  /// distant block, nor do blocks that use other bytes of the same sectors.
  double newBlocks(const SiteTraffic &T, double Room) const;
  /// The same where L1 has room for what some want of it only, but blocks that
  /// an SM runs at the same time walk over it side by side: the first one
  /// brings what the others find, as long as these keep up.
  double newSideBySide(const SiteTraffic &T) const;
};

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_CACHETRAFFIC_H
