//===- KernelTime.h - How long a launch takes, and why ----------*- C++ -*-===//
//
// Plain arithmetic from the access model and a device's rates to a time. A
// kernel is as slow as the part of the machine that it keeps busiest; parts
// that are nearly as busy get in each other's way, which a power mean says:
//
//   T = T0 + max(atomics, (max(dram, l2)^p + lsu^p + max(issue, constant)^p +
//                          max(latency, dispatch)^p)^(1/p))
//
// What a finding would gain is the time as the code is over the time with the
// access repaired. Both come from the same function.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PRICE_KERNELTIME_H
#define WARPWISE_ANALYZER_PRICE_KERNELTIME_H

#include "analyzer/model/AccessModel.h"
#include "analyzer/price/DeviceRates.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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
  bool IsFloat = false, IsJoined = false, RepeatsPerLane = false;
  /// L1 is passed by: the source marks it volatile.
  bool IsVolatile = false;
  /// A copy to shared memory that goes past the registers (cp.async).
  bool IsAsyncCopy = false;
  /// Loops around it, where how often they run it is not known.
  unsigned UnknownLoops = 0;
  /// Lanes want sectors here and there: so many of each line that they touch,
  /// in so many bytes, where that is known and bounds what they touch.
  bool IsRandom = false;
  double UsedSectors = 1;
  /// Of the sectors, those that data choose from all of an object, and that the
  /// block has chosen before.
  double ChosenAgain = 0;
  std::optional<double> ExtentBytes;
  /// Of what it goes to; without end where that is not known.
  double ObjectBytes = std::numeric_limits<double>::infinity();
  bool IsCounted = false, RoundsAddUp = false; ///< see access::Access
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

/// Whether data lies in L2 when a kernel starts. What a program has just
/// produced does, if it fits.
enum class Caches { Warm, Cold };

/// What a launch keeps busy and for how long, in nanoseconds.
struct KernelTime {
  double Launch = 0;
  double Dram = 0, L2 = 0, LoadStore = 0, Issue = 0, Constant = 0, Latency = 0,
         Dispatch = 0, Atomics = 0;
  double Total = 0;
  /// Blocks that an SM holds at the same time, and rounds of them.
  double Resident = 0, Waves = 0;

  /// The part that is busiest: "DRAM", "L2", "latency" ...
  std::string_view boundBy() const;
  /// That part, and the next where it is nearly as busy, so that mending the
  /// first alone would not help: "L2 and latency".
  std::string bounds() const;
};

KernelTime timeOf(const Demands &D, const DeviceRates &Device, Caches State);

/// KernelTime::Total of the other parts of \p T.
double totalOf(const KernelTime &T);

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_KERNELTIME_H
