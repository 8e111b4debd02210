//===- DeviceRates.h - How fast a GPU does what -----------------*- C++ -*-===//
//
// The quantities of a device profile that a kernel's time is computed from, in
// SM clocks. A number that the profile lacks is not made up: without those that
// every kernel needs there is no price, and the reason says which is missing.
// What only some kernels are bound by is taken to cost nothing, and said to be.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_PRICE_DEVICERATES_H
#define WARPWISE_ANALYZER_PRICE_DEVICERATES_H

#include "analyzer/model/AccessModel.h"
#include "profiler/profile/Profile.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::price {

/// A measured curve, ascending.
class Points {
public:
  std::vector<std::array<double, 2>> Known;

  /// Between two points on the line through them; before the first and behind
  /// the last what holds there. 0 without any.
  double at(double X) const;
};

/// Of the power mean of what parts of the chip have to do: 1 would add them up,
/// infinity take the largest. Judged by the tuning pairs (docs/price.md says
/// what others do to them), and near what reads and writes of L2 do to each
/// other (test/gpu/l2-ways).
constexpr double OnChipPower = 2;

struct DeviceRates {
  double ClockMhz = 0;
  double Sms = 0;
  double LaunchNs = 0; ///< of a kernel that does nothing

  /// Bytes in a clock, of all SMs together.
  double DramReadBytes = 0, DramWriteBytes = 0;
  double L2ReadBytes = 0, L2WriteBytes = 0;
  /// Clocks more that DRAM takes for a byte read and one written by turns than
  /// for the two apart.
  double DramTurn = 0;
  /// The same for stores that fill a part of each sector.
  double L2ScatterBytes = 0;
  /// For loads from DRAM in random order, by how many bytes lie side by side.
  Points DramScattered;
  /// Bytes a clock that L2 hands out, by how many of a line are wanted
  /// together. What the load and store unit has to do for these lines is not in
  /// it.
  Points L2ReadTogether;
  /// The former, by the bytes from one sector to the next.
  Points L2PartialBytes;
  /// Of stores to the members of records, by the lines that each touches: the
  /// share that L1 sends to L2 by itself. Unknown: all.
  Points StoresAlone;
  /// What a grid of so many SMs gets of the above, as a share of it: more than
  /// its share of the SMs, which are held up by one another.
  Points DramShare, ReadShare, WriteShare, PartialShare;
  double L2Room = 0; ///< B that a launch finds free
  /// Of what is read, the share that lies in L2 a second time, on the side of
  /// the SMs that want it.
  double L2CopiedShare = 0;
  /// Loads from global memory look into L1 first; else L2 serves them all.
  bool GlobalLoadsUseL1 = true;
  double L1Capacity = 0; ///< B, shared memory included
  double SectorBytes = 32, LineBytes = 128;

  /// Of the load and store unit of an SM, in clocks: a pass through L1 or
  /// shared memory, the tag of a line that hits, and of one that misses the
  /// time in which the SM gets a sector from L2.
  double PerPass = 1, PerHitLine = 0, PerMissLine = 1;
  /// Of an asynchronous copy, by the bytes of a lane, beyond the passes of its
  /// load and its store.
  Points PerAsyncCopy;
  double PerConstantWord = 0;
  /// What a line of constant memory takes that the first level has lost, where
  /// warps drive out each other's lines and where they keep step (0 where
  /// nobody has measured it), and what is likely, the geometric mean: kernels
  /// that walk through a table once do neither (lamps-packed-constant and
  /// constant-walk-rows of test/gpu/pairs: 11.7 and 12.6 clocks on an H100,
  /// where these are 27.0 and 4.3).
  double PerConstantLineApart = 0, PerConstantLineInStep = 0,
         PerConstantLine = 0;
  double PassLatency = 0; ///< that a result is later for each pass more

  /// In clocks.
  double ArithmeticLatency = 0, SharedLatency = 0, ConstantLatency = 0,
         FarConstantLatency = 0, L1Latency = 0, L2Latency = 0, DramLatency = 0;
  /// Loads of warps that an SM can have under way; without end where nobody has
  /// measured it.
  double LoadsUnderWay = std::numeric_limits<double>::infinity();
  double SharedExchangeLatency = 0; ///< of a compare and swap, no lanes meet

  /// Warp instructions in a clock of an SM: in all, and by access::Pipe.
  double Issue = 0;
  std::array<double, access::PipeCount> Pipes{};

  /// Atomics of lanes in a clock of an SM, while all SMs are at it.
  struct AtomicRates {
    double SameWord = 0, SameLine = 0, Spread = 0;
    /// Turns beyond the first that a sector takes for a request, since lanes of
    /// it come to one word; 0 where nobody has measured it.
    double Again = 0;
    /// Of lanes that hit random ones of so many words.
    Points ByWords;
  };
  AtomicRates Integers, Floats;
  /// How many times faster atomics on so many lines side by side are than on
  /// one: lines share slices of L2, which take one after the other.
  Points SlicesOfLines;

  /// Clocks between two blocks of an SM, by the threads of a block.
  Points BlockInterval;
  /// Clocks from the end of a block to the beginning of the one that takes its
  /// place.
  double Refill = 0;

  /// What an SM holds.
  unsigned SmThreads = 0, SmBlocks = 0, SmRegisters = 0;
  double SmSharedBytes = 0, ReservedSharedBytes = 0;

  /// How much wider the interval of a gain is, as a power, than on a GPU that
  /// was measured.
  double Doubt = 1;
};

/// The rates, or what is missing, as half a sentence ("the profile has no
/// value for levels.dram.latency").
struct KnownRates {
  std::optional<DeviceRates> Rates;
  std::string Missing;
  /// What has no value and is taken to cost nothing: "a launch costs nothing
  /// (device.launch.latency has no value)".
  std::vector<std::string> Assumed = {};
};
KnownRates ratesOf(const profile::Profile &Device);

} // namespace warpwise::price

#endif // WARPWISE_ANALYZER_PRICE_DEVICERATES_H
