//===- KernelTime.cpp - How long a launch takes, and why ------------------===//

#include "analyzer/price/KernelTime.h"

#include "profiler/profile/Occupancy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace warpwise::price {

using access::Operation;
using access::Pipe;
using access::Space;
using access::WarpLanes;

namespace {

constexpr double Power = OnChipPower;

/// Of the time that L2 takes, what counts beside that of DRAM: what DRAM brings
/// and takes passes through L2 meanwhile. Judged by the tuning pairs.
constexpr double L2BesideDram = 0.5;

/// The exponent for the launch of blocks beside all of that: an SM works on
/// while blocks arrive.
constexpr double LaunchPower = 6;

/// By how much of what L2 holds a launch has to touch more before all of it is
/// lost from one launch to the next: test/gpu/l2-room, on an H200.
constexpr double L2AllLost = 0.35;

/// How much of L1 all warps of an SM may touch between two times that one wants
/// a line until it begins to be gone, and until it is gone for sure: a
/// judgement by the tuning pairs, which 0.5 and 1.5 fit worse.
constexpr double L1AllKept = 1, L1AllLost = 2;

/// From a failed exchange to the next: the sum, the comparison and the branch.
/// About so many; they were not measured one by one.
constexpr double ExchangeSteps = 5;

/// Clocks from one barrier of a block that is ready for it to the next: 14 with
/// one warp, 28 with 8 and 76 with 32 on an H100, and taken to be as many on
/// others.
constexpr double BarrierLatency = 12, BarrierPerWarp = 2;

/// Instructions that compute where an element of a private array lies.
constexpr double LocalAddress = 1;

/// Clocks that a request takes longer whose lanes want two lines or more that
/// are still under way: test/gpu/hits-under-way, on an H100.
constexpr double LinesUnderWay = 0.37;

/// Of the time in which an SM gets a sector from L2, how long L1 is busy with a
/// line that it does not have; and how much longer with lines at random that it
/// has, as it looks up four at a time only if they lie in different banks of
/// its tags: test/gpu/missing-lines, on an H200.
constexpr double MissLookup = 0.55, RandomLookup = 1.5;

/// Requests for lines that L2 serves in a clock if all want the same line, and
/// for each of more lines, as these lie in different slices of it:
/// test/gpu/hot-lines, on an H100.
constexpr double HotLineRequests = 1.7, RequestsPerLine = 0.41;

/// Of the words on which the rates of atomics were measured.
constexpr double AtomicWordBytes = 4;

/// Clocks in which constant memory hands out a word that a loop counts
/// (test/gpu/constant-loops, on an H100), and how many more a fetch of two
/// words takes where the table is large and comes through the registers that
/// lanes share (kmeans-centroids-constant of test/gpu/pairs, 1 KiB; up to 20 of
/// 64 KiB in test/gpu/constant-loops).
constexpr double PerFetchedWord = 1.05, FarFetch = 9, NearConstantBytes = 256;

double powerMean(double Of, std::initializer_list<double> Parts) {
  double Sum = 0;
  for (const double Part : Parts)
    Sum += std::pow(std::max(Part, 0.0), Of);
  return std::pow(Sum, 1 / Of);
}

/// Of what \p Blocks in a row want, the share that is left when each takes from
/// the one before what is not \p Fresh.
double uniqueOf(double Blocks, double Fresh) {
  return (1 + (Blocks - 1) * Fresh) / Blocks;
}

/// Sums over the sites of a launch, in clocks of the part in question.
class Clock {
  const Demands &D;
  const DeviceRates &Device;
  const Caches State;
  double Busy; ///< blocks that have something to do
  double UsedSms, Resident, Waves;
  /// SMs that would take as long with as many blocks each as the fullest has:
  /// of 200 blocks on 132 SMs some have two, and the others wait for these.
  double EvenSms;
  double L2Reads = 0, L2Writes = 0;
  double DramReads = 0, DramWrites = 0; ///< bytes
  /// An array, and whether it is written.
  using Side = std::pair<unsigned, bool>;
  std::map<Side, double> UniqueBytes; ///< of all sites that go there
  double PlaceBytes = 0;              ///< that all sites take of L2
  /// Of what the next block along an axis wants, too, the share that L2 has
  /// lost until that block runs.
  std::array<double, 3> LostAlong{};
  double OwnShare = 1;   ///< see ownShare
  double KeptFor = 0;    ///< see keptFor
  double BlockBytes = 0; ///< that the loads of a block bring to L1
  double LoadStore = 0, Constant = 0, Atomics = 0;
  double Beside = 0;                ///< instructions of local memory
  double Repeats = 0;               ///< of a block's lanes, one after the other
  std::map<unsigned, double> Waits; ///< of a warp, by group

public:
  Clock(const Demands &D, const DeviceRates &Device, Caches State)
      : D(D), Device(Device), State(State) {
    const access::Work &W = D.Besides;
    Busy = std::max(1.0, W.Blocks * (1 - W.IdleBlocks));
    UsedSms = std::min(Device.Sms, Busy);
    EvenSms = Busy / std::ceil(Busy / Device.Sms);
    const profile::Occupancy Held = profile::occupancyOf(
        {Device.SmThreads, Device.SmBlocks, Device.SmRegisters,
         uint64_t(Device.SmSharedBytes), uint64_t(Device.ReservedSharedBytes)},
        {W.BlockThreads, D.Registers, W.SharedBytes});
    Resident = std::max(1.0, double(Held.Blocks));
    Waves = std::max(1.0, Busy / (Device.Sms * Resident));
  }

  KernelTime read() {
    for (const SiteTraffic &T : D.Sites)
      if (T.Root)
        UniqueBytes[sideOf(T)] += uniqueBytes(T);
    for (const SiteTraffic &T : D.Sites) {
      PlaceBytes += roomOf(T);
      BlockBytes += blockBytes(T);
    }
    OwnShare = ownShare();
    KeptFor = keptFor();
    LostAlong = lostAlong();
    for (const SiteTraffic &T : D.Sites)
      add(T);
    for (const SiteTraffic &T : D.Spills)
      add(T);
    const access::Work &W = D.Besides;
    double Issued = 0, Busiest = 0;
    for (unsigned P = 0; P != access::PipeCount; ++P) {
      Issued += W.Issued[P];
      Busiest = std::max(Busiest, W.Issued[P] / Device.Pipes[P]);
    }
    const double Warps = std::ceil(W.BlockThreads / double(WarpLanes));
    double Chain = W.ChainSteps * Device.ArithmeticLatency + Repeats +
                   W.Barriers * (BarrierLatency + BarrierPerWarp * Warps);
    for (const auto &[Group, Longest] : Waits)
      Chain += Longest;
    KernelTime T;
    const double Ns = 1e3 / Device.ClockMhz;
    T.Launch = Device.LaunchNs;
    T.Dram = Ns * dramTime() / Device.DramShare.at(UsedSms);
    // What L1 is sent and what it sends on take ways of their own.
    T.L2 = Ns * powerMean(Power, {L2Reads, L2Writes});
    LoadStore += W.SwitchedOff * Device.PerPass;
    T.LoadStore = Ns * LoadStore / EvenSms;
    T.Constant = Ns * Constant / EvenSms;
    Issued += Beside;
    T.Issue = Ns * std::max(Issued / Device.Issue, Busiest) / EvenSms;
    T.Latency = Ns * (Waves * Chain + (Waves - 1) * Device.Refill);
    T.Dispatch =
        Ns * W.Blocks / Device.Sms * Device.BlockInterval.at(W.BlockThreads);
    T.Atomics = Ns * Atomics / Device.Sms;
    T.Resident = Resident;
    T.Waves = Waves;
    T.Total = totalOf(T);
    return T;
  }

private:
  double dramTime() const {
    return DramReads / Device.DramReadBytes +
           DramWrites / Device.DramWriteBytes +
           std::min(DramReads, DramWrites) * Device.DramTurn;
  }

  double missingBytes(const SiteTraffic &T) const {
    return T.Requests * T.Sectors * T.Missing * Device.SectorBytes;
  }
  double uniqueBytes(const SiteTraffic &T) const {
    return T.Memory == Space::Global ? missingBytes(T) * T.Unique : 0;
  }

  /// Of what the launch touches and has touched the time before, the share that
  /// L2 has lost meanwhile: nothing as long as all of it has room. Of more, a
  /// launch that walks along it soon loses a good part.
  double lostShare() const { return lostShareOf(PlaceBytes); }

  double lostShareOf(double Bytes) const {
    const double Kept =
        1 - std::clamp((Bytes / Device.L2Room - 1) / L2AllLost, 0.0, 1.0);
    return 1 - Kept * Kept;
  }

  double blocksAlong(unsigned Axis) const {
    return D.Grid ? double((*D.Grid)[Axis]) : 1;
  }

  /// Blocks begin in the order of x, then y, then z: before the next one along
  /// an axis all those along the axes before it do.
  std::array<double, 3> lostAlong() const {
    std::array<double, 3> Lost{};
    std::map<const SiteTraffic *, double> Bytes; ///< in L2, until then
    for (const SiteTraffic &T : D.Sites)
      if (T.Memory == Space::Global)
        Bytes[&T] = missingBytes(T) / Busy * placesOf(T);
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      double All = 0;
      for (auto &[T, Its] : Bytes) {
        All += std::min(Its, roomOf(*T));
        Its *= 1 + (blocksAlong(Axis) - 1) * T->FreshBeside[Axis];
      }
      Lost[Axis] = lostShareOf(All);
    }
    return Lost;
  }

  /// What DRAM brings for \p T at least, blocks that wait too long for what
  /// others have brought included. Those that run at the same time share it.
  double broughtBytes(const SiteTraffic &T) const {
    double Times = 1, Between = 1;
    for (unsigned Axis = 0; Axis != 3; ++Axis) {
      const double Blocks = blocksAlong(Axis), Fresh = T.FreshBeside[Axis];
      const double Together =
          std::clamp(UsedSms * Resident / Between, 1.0, Blocks);
      const double Kept = uniqueOf(Blocks, Fresh);
      Times *= 1 + LostAlong[Axis] * (uniqueOf(Together, Fresh) / Kept - 1);
      Between *= Blocks;
    }
    return std::min(missingBytes(T), uniqueBytes(T) * Times);
  }

  static Side sideOf(const SiteTraffic &T) {
    return {*T.Root, T.Op != Operation::Load};
  }

  /// Of what all sites want of an array, the part of \p T: none can take the
  /// place of more than that of it.
  double partOfArray(const SiteTraffic &T) const {
    const double Own = uniqueBytes(T);
    return T.Root && Own > 0 ? Own / UniqueBytes.at(sideOf(T)) : 1;
  }

  /// What \p T takes of L2. A sector takes the place of its line, however few
  /// of the others are wanted.
  double placeBytes(const SiteTraffic &T) const {
    const double Lines = uniqueBytes(T) / T.UsedSectors;
    return std::min(Lines, partOfArray(T) *
                               std::min(T.ExtentBytes.value_or(T.ObjectBytes),
                                        T.ObjectBytes));
  }

  /// In how many places of L2 a byte of \p T lies, as it has two sides: on one
  /// or both if it is read, on both if it is written (test/gpu/l2-room). What
  /// is read where it is written, too, counts there already.
  double placesOf(const SiteTraffic &T) const {
    if (T.Op == Operation::Load)
      return 1 + Device.L2CopiedShare;
    const double Written = 1 + 2 * Device.L2CopiedShare;
    const double InPlace = 0.5 * Device.L2CopiedShare;
    return Written - T.AlsoRead * (Written - InPlace);
  }

  /// What \p T takes of L2, with what lies on both of its sides.
  double roomOf(const SiteTraffic &T) const {
    return placeBytes(T) * placesOf(T);
  }

  /// How often a launch wants a sector that \p T wants in random order.
  double timesWanted(const SiteTraffic &T) const {
    return std::max(1.0, uniqueBytes(T) / std::max(1.0, placeBytes(T)));
  }

  /// How long L2 keeps a sector that nobody wants again, in launches: until
  /// what else is wanted meanwhile fills it. What is wanted often is there as a
  /// rule, however much is read in a row beside it. (Che, Tung and Wang,
  /// Hierarchical Web Caching Systems, 2002: an LRU cache under random
  /// requests.)
  double keptFor() const {
    double Streamed = PlaceBytes;
    for (const SiteTraffic &T : D.Sites)
      if (T.IsRandom)
        Streamed -= roomOf(T);
    const auto filled = [&](double Launches) {
      double Bytes = std::max(0.0, Streamed) * Launches;
      for (const SiteTraffic &T : D.Sites)
        if (T.IsRandom)
          Bytes += roomOf(T) * (1 - std::exp(-timesWanted(T) * Launches));
      return Bytes;
    };
    double Short = 0, Long = 64;
    for (unsigned Step = 0; Step != 40; ++Step) {
      const double Middle = (Short + Long) / 2;
      (filled(Middle) < Device.L2Room ? Short : Long) = Middle;
    }
    return Long;
  }

  /// What DRAM brings in random order, as bytes that it would bring in a row
  /// meanwhile.
  double scatteredBytes(const SiteTraffic &T) const {
    const double Kept = 1 - std::exp(-timesWanted(T) * KeptFor);
    const double First =
        State == Caches::Cold ? std::min(uniqueBytes(T), placeBytes(T)) : 0;
    return (First + (uniqueBytes(T) - First) * (1 - Kept)) *
           Device.DramReadBytes / Device.DramScatterBytes;
  }

  /// Of what warps touch for the first time, the share that no other warp of
  /// the launch touches.
  double ownShare() const {
    double Touched = 0, Places = 0;
    for (const SiteTraffic &T : D.Sites)
      if (T.Memory == Space::Global) {
        const double Again =
            std::accumulate(T.Again.begin(), T.Again.end(), 0.);
        Touched += T.Requests * T.Sectors * Device.SectorBytes *
                   std::max(0.0, 1 - Again);
        Places += placeBytes(T);
      }
    return Touched > 0 ? std::min(1.0, Places / Touched) : 1;
  }

  double warpsOfSm() const {
    return std::min(Resident, std::ceil(Busy / UsedSms)) *
           std::ceil(D.Besides.BlockThreads / double(WarpLanes));
  }

  /// Of the sectors of \p T, those that its warp has had before and that a
  /// cache has lost, as \p LostAfter says of the lines that the warp touches
  /// meanwhile.
  template <class Lost>
  static double goneAgain(const SiteTraffic &T, Lost LostAfter) {
    double Share = 0, Lines = 1.5; // the middle of a bin
    for (const double Its : T.Again) {
      Share += Its * LostAfter(Lines);
      Lines *= 2;
    }
    return Share;
  }

  /// What DRAM brings for \p T once more, since L2 has lost it between two
  /// times that a warp wants it: all warps of the device bring lines meanwhile.
  double broughtAgainBytes(const SiteTraffic &T) const {
    const double Share = goneAgain(T, [&](double Lines) {
      const double Between = Lines * Device.LineBytes * warpsOfSm() * UsedSms *
                             OwnShare * placesOf(T);
      return lostShareOf(std::min(Between, PlaceBytes));
    });
    return T.Requests * T.Sectors * Share * Device.SectorBytes * T.Unique;
  }

  /// What \p T brings to L1 for each block.
  double blockBytes(const SiteTraffic &T) const {
    return T.Memory == Space::Global && T.Op == Operation::Load
               ? missingBytes(T) / Busy
               : 0;
  }

  /// What shared memory leaves of L1.
  double l1Room() const {
    return std::max(0.0, Device.L1Capacity -
                             double(D.Besides.SharedBytes) * Resident);
  }

  /// Of the blocks that an SM runs one after the other, the share for which L1
  /// no longer has what \p T wants, if it has room for what \p Room blocks
  /// want. The next block on an SM is as many further on as there are SMs, so a
  /// block of the same column is soon back where the columns divide their
  /// number. Windows that overlap with the neighbour's do not with those of a
  /// distant block, nor do blocks that use other bytes of the same sectors.
  double newBlocks(const SiteTraffic &T, double Room) const {
    if (!D.Grid || Room < 1)
      return 1;
    constexpr double MostRounds = 256, MostRoom = 64;
    const auto Held = size_t(std::min(Room, MostRoom));
    const double Rounds = std::min(MostRounds, std::ceil(Busy / UsedSms));
    std::vector<launch::Dim3> InL1; ///< the last one wanted at the end
    double New = 0;
    for (double Round = 0; Round != Rounds; ++Round) {
      auto Number = uint64_t(Round * Device.Sms);
      launch::Dim3 Block{};
      for (unsigned Axis = 0; Axis != 3; ++Axis) {
        const uint64_t Blocks = (*D.Grid)[Axis];
        if (T.SameBeside[Axis] < 1)
          Block[Axis] = uint32_t(Number % Blocks);
        Number /= Blocks;
      }
      const bool IsNew = std::erase(InL1, Block) == 0;
      New += IsNew;
      if (IsNew && InL1.size() == Held)
        InL1.erase(InL1.begin());
      InL1.push_back(Block);
    }
    return New / Rounds;
  }

  /// Of the sectors of \p T that a block has not asked for before, those that
  /// L1 has not kept from an earlier block either.
  double missingOfBlocks(const SiteTraffic &T) const {
    if (!Device.GlobalLoadsUseL1)
      return 1;
    const double Rounds = Busy / UsedSms, Own = blockBytes(T);
    if (Rounds <= 1 || Own <= 0)
      return 1;
    const double Others = BlockBytes - Own;
    if (!T.ExtentBytes)
      return newBlocks(T, (l1Room() - Others) / Own);
    // All of a table that data choose from has to find room, a part of it does
    // not help the next block.
    const double Wanted = std::max(*T.ExtentBytes, Own);
    return Others + Wanted > l1Room() ? 1
                                      : std::min(1.0, Wanted / (Own * Rounds));
  }

  /// Of the sectors of \p T, those that L1 has had to give up between two times
  /// that the warp wants them, since all warps of the SM bring lines meanwhile.
  double givenUp(const SiteTraffic &T) const {
    if (!Device.GlobalLoadsUseL1)
      return 0;
    if (T.ChosenAgain > 0) // what is chosen at random stays as there is room
      return T.ChosenAgain * std::max(0.0, 1 - l1Room() / T.ObjectBytes);
    const double Warps = warpsOfSm();
    const double Room = std::max(1.0, l1Room() / Device.LineBytes);
    return goneAgain(T, [&](double Lines) {
      return std::clamp((Lines * Warps / Room - L1AllKept) /
                            (L1AllLost - L1AllKept),
                        0.0, 1.0);
    });
  }

  void add(const SiteTraffic &T) {
    if (T.Requests <= 0)
      return;
    double Latency = 0;
    switch (T.Memory) {
    case Space::Local:
      Latency = addLocal(T);
      break;
    case Space::Shared:
      LoadStore += T.Requests * T.Wavefronts * Device.PerPass;
      if (T.RepeatsPerLane) {
        // Of all lanes of a block one succeeds at a time.
        Repeats += T.Requests / Busy * T.Lanes *
                   (Device.SharedLatency + Device.SharedExchangeLatency +
                    ExchangeSteps * Device.ArithmeticLatency);
        return;
      }
      Latency = Device.SharedLatency + (T.Wavefronts - 1) * Device.PassLatency;
      break;
    case Space::Constant: {
      // One that all lanes want is an operand of the instruction that wants it.
      const bool Differ = T.Words > std::max(1.0, T.Bytes / 8.0);
      // Lines come while words of others are handed out.
      Constant +=
          T.Requests *
          std::max(Differ ? T.Words * Device.PerConstantWord : fetchTime(T),
                   T.LostLines * Device.PerConstantLine);
      Latency = Device.ConstantLatency +
                std::min(1.0, T.LostLines) *
                    (Device.FarConstantLatency - Device.ConstantLatency);
      break;
    }
    case Space::Global:
      Latency = addGlobal(T);
      break;
    default:
      LoadStore += T.Requests;
      Latency = Device.L1Latency;
    }
    if (T.WaitGroup) {
      double &Longest = Waits[*T.WaitGroup];
      Longest = std::max(Longest, T.PerWarp * T.Waits * Latency);
    }
  }

  /// Sectors that a store fills only in part take L2 longer, the more so the
  /// farther they lie apart. Lanes that lie side by side leave one at each end,
  /// half full on average. Before, L1 merges what siblings store into few
  /// lines.
  double storedBytesTime(const SiteTraffic &T) const {
    const double Alone =
        Device.StoresAlone.Known.empty() ? 1 : Device.StoresAlone.at(T.Lines);
    const double Written = T.Sectors * Alone + T.Together * (1 - Alone);
    const double Full = T.Lanes * T.Bytes / Device.SectorBytes;
    const double Partial = std::clamp(2 * (Written - Full), 0.0, Written);
    const double Apart =
        T.Sectors > 0 ? Device.LineBytes * T.Lines / T.Sectors : 0;
    return T.Requests * Device.SectorBytes *
           ((Written - Partial) /
                (Device.L2WriteBytes * Device.WriteShare.at(UsedSms)) +
            Partial / (Device.L2PartialBytes.at(Apart) *
                       Device.PartialShare.at(UsedSms)));
  }

  /// L2 looks a line up for one sector of it as for all.
  double readBytesTime(const SiteTraffic &T, double Missing) const {
    const double Together =
        T.Lines > 0 ? std::clamp(T.Sectors / T.Lines, 1.0,
                                 Device.LineBytes / Device.SectorBytes) *
                          Device.SectorBytes
                    : Device.LineBytes;
    return T.Requests * T.Sectors * Missing * Device.SectorBytes /
           (Device.L2ReadTogether.at(Together) * Device.ReadShare.at(UsedSms));
  }

  bool usesL1(const SiteTraffic &T) const {
    return Device.GlobalLoadsUseL1 && !T.IsVolatile;
  }

  /// What all warps want of a few lines, past L1, as few slices of L2 serve.
  double hotLinesTime(const SiteTraffic &T) const {
    if (!T.IsVolatile || uniqueBytes(T) <= 0)
      return 0;
    const double Lines = std::max(1.0, placeBytes(T) / Device.LineBytes);
    return T.Requests * T.Lines /
           std::max(HotLineRequests, RequestsPerLine * Lines);
  }

  /// Of the requests that hit in L1, those that want several lines of which one
  /// is not there yet, as far as one sees: where one of a few requests is the
  /// first to ask for a line, those that start with it want it, too. That eight
  /// are a few is a judgement.
  static double underWay(const SiteTraffic &T) {
    constexpr double Few = 8;
    return std::min(1.0, Few * T.MissingRequests) *
           std::clamp(T.Lines - 1, 0.0, 1.0);
  }

  /// Returns how long a request of \p T takes.
  double addGlobal(const SiteTraffic &T) {
    // What is written stays in L2 if it fits; what is read may not be there.
    const double Lost = lostShare();
    const bool IsFirst = State == Caches::Cold && T.Op == Operation::Load;
    double &Dram = T.Op == Operation::Load ? DramReads : DramWrites;
    Dram += T.IsRandom ? (IsFirst || Lost > 0 ? scatteredBytes(T) : 0)
                       : Lost * broughtBytes(T) +
                             (IsFirst ? 1 - Lost : 0) *
                                 std::min(uniqueBytes(T), placeBytes(T));
    if (T.Op == Operation::Load && !T.IsRandom)
      DramReads += broughtAgainBytes(T);
    if (T.Op == Operation::Atomic) {
      addAtomic(T);
      return Device.L2Latency;
    }
    if (T.Op == Operation::Store) {
      // L1 passes every store on; each line takes its turn.
      L2Writes += storedBytesTime(T);
      LoadStore += T.Requests * std::max(T.LinePasses * Device.PerPass,
                                         T.Lines * Device.PerMissLine);
      return 0;
    }
    const double OfBlocks = missingOfBlocks(T);
    const double GivenUp = givenUp(T);
    const double Missing =
        usesL1(T) ? std::min(1.0, T.Missing * OfBlocks + GivenUp) : 1;
    L2Reads += std::max(readBytesTime(T, Missing), hotLinesTime(T));
    const double PerLine =
        Missing * Device.PerMissLine + (1 - Missing) * Device.PerHitLine;
    const double Lookup =
        Missing * MissLookup * Device.PerMissLine +
        (1 - Missing) * (T.IsIndexed ? RandomLookup : 1) * Device.PerHitLine;
    LoadStore += T.Requests *
                 (std::max(T.LinePasses * Device.PerPass, T.Lines * Lookup) +
                  (1 - Missing) * underWay(T) * LinesUnderWay);
    if (T.IsAsyncCopy)
      LoadStore += T.Requests * Device.PerAsyncCopy.at(T.Bytes);
    // What other blocks bring, too, is in L2 for all but the first round.
    const double FromAfar =
        (State == Caches::Cold ? 1 : Lost) * std::max(T.Unique, 1 / Waves);
    const double Far =
        Device.L2Latency + FromAfar * (Device.DramLatency - Device.L2Latency);
    const double Near = usesL1(T) ? Device.L1Latency : Device.L2Latency;
    const double First = T.MissingRequests * OfBlocks;
    return Near + First * (Far - Near) +
           std::min(1 - First, GivenUp) * (Device.L2Latency - Near) +
           (T.Lines - 1) * PerLine + (T.LinePasses - 1) * Device.PassLatency;
  }

  /// How long constant memory is busy with a request of \p T for what all lanes
  /// want. Registers that they share do not have a large table at hand, once
  /// later blocks walk along it out of step; of 16 bytes the second half goes
  /// through the lanes' own. What the code says the address of takes no time.
  double fetchTime(const SiteTraffic &T) const {
    if (!T.IsCounted)
      return 0;
    const double Far = std::max(0.0, 1 - NearConstantBytes / T.ObjectBytes);
    return T.Bytes / 4.0 * PerFetchedWord +
           Far * (1 - 1 / Waves) * FarFetch *
               (T.Bytes > 8 ? 0.5 : T.Bytes / 8.0);
  }

  /// Local memory lies in L1 as far as there is room; stores go on to L2 in any
  /// case, like those to global memory. An array of which all threads together
  /// have more than L2 holds comes from DRAM, and goes there. Returns how long
  /// a load takes.
  double addLocal(const SiteTraffic &T) {
    const double Wanted = D.PrivateBytes * D.Besides.BlockThreads * Resident;
    const double Missing =
        Wanted > 0 ? 1 - std::min(1.0, l1Room() / Wanted) : 0;
    const bool IsStore = T.Op == Operation::Store;
    if (IsStore)
      L2Writes += storedBytesTime(T);
    else
      L2Reads += readBytesTime(T, Missing);
    Beside += T.Requests * (1 + LocalAddress); // the load or store itself, too
    const double Misses = IsStore ? 1 : Missing;
    const double Threads =
        D.Besides.BlockThreads * std::min(Busy, Resident * UsedSms);
    // Of a large array a thread may want little.
    const double Lost =
        std::isfinite(T.ObjectBytes)
            ? lostShareOf(std::min(T.ObjectBytes, T.PerWarp * T.Bytes) *
                          Threads)
            : 0;
    (IsStore ? DramWrites : DramReads) +=
        T.Requests * T.Sectors * Device.SectorBytes * Misses * Lost;
    LoadStore +=
        T.Requests * std::max(T.LinePasses * Device.PerPass,
                              T.Lines * (Misses * Device.PerMissLine +
                                         (1 - Misses) * Device.PerHitLine));
    const double Far =
        Device.L2Latency + Lost * (Device.DramLatency - Device.L2Latency);
    return Device.L1Latency + Missing * (Far - Device.L1Latency);
  }

  /// Whether the lanes of a request hit any of \p Words words, as far as one
  /// sees: they come to as many sectors as chance would have it.
  bool hitsAtRandom(const SiteTraffic &T, double Words) const {
    if (T.Lanes < 2 * T.Sectors)
      return true;
    const double All = std::max(1.0, Words * T.Bytes / Device.SectorBytes);
    const double Expected = All * (1 - std::pow(1 - 1 / All, T.Lanes));
    return T.IsIndexed && !T.IsJoined && T.Sectors > 0.5 * Expected;
  }

  /// L2 carries atomics out sector by sector, and those on one word, or on one
  /// line, by turns. Lanes that come together in a sector share its turn, which
  /// takes as long as that of a word.
  void addAtomic(const SiteTraffic &T) {
    const DeviceRates::AtomicRates &R =
        T.IsFloat ? Device.Floats : Device.Integers;
    if (R.Spread <= 0 || R.SameLine <= 0 || R.SameWord <= 0)
      return;
    const double Sectors = T.Requests * (T.IsJoined ? 1 : T.Sectors);
    const double Lanes = T.Requests * (T.IsJoined ? 1 : T.Lanes);
    const double Again =
        T.IsJoined ? 0 : T.Requests * std::max(0.0, T.Turns - T.Sectors);
    const double Different = T.Requests * T.Sectors * T.OwnSectors * T.Unique;
    const double Bytes = std::max(1u, T.Bytes);
    const bool IsAnyWord = T.IsIndexed && T.Turns == 0;
    const double Words = std::clamp(
        IsAnyWord ? Lanes : Different * T.OwnBytes * Device.SectorBytes / Bytes,
        1.0, std::max(1.0, T.ObjectBytes / Bytes));
    const double Lines =
        std::max(1.0, std::min(Different * Device.SectorBytes, T.ObjectBytes) /
                          Device.LineBytes);
    // Lines are served side by side as far as they lie in different slices;
    // words and sectors of one line are, up to what it takes in all.
    const double Slices = Device.SlicesOfLines.at(Lines);
    const double SectorsOfLine = std::clamp(
        std::min(Different, T.ObjectBytes / Device.SectorBytes) / Lines, 1.0,
        Device.LineBytes / Device.SectorBytes);
    const double LanesOfSector = Device.SectorBytes / AtomicWordBytes;
    const double Turns =
        Sectors /
        (Slices * std::min(SectorsOfLine * R.SameWord,
                           std::max(R.SameWord, R.SameLine / LanesOfSector)));
    if (const double Rate = R.ByWords.at(Words);
        Rate > 0 && Words > 1 && hitsAtRandom(T, Words))
      Atomics += std::max(Lanes / Rate, Turns);
    else
      Atomics += std::max(
          {Sectors / R.Spread + (R.Again > 0 ? Again / R.Again : 0),
           Lanes / (R.SameLine * Slices),
           Lanes / (R.SameWord * std::max(1.0, Words / Lines) * Slices),
           Turns});
  }
};

} // namespace

/// Whether the lanes want sectors here and there, as far apart as data says,
/// and nobody wants the rest of their lines.
static bool isScattered(const access::Cost &C) {
  if (C.Sectors.value_or(0) <= 1.5 * C.IdealSectors.value_or(0) ||
      (C.Reach && C.Reach->UsedBytes * C.Reach->UsedSectors > 0.5))
    return false;
  return C.State == access::Proof::DataDependent ||
         (C.Worst ? !C.Worst->Stride && C.Lines > 0.9 * C.ActiveLanes
                  : C.IsIndexed);
}

/// Whether all blocks choose from the same by data: a block asks for a small
/// part of it, or its neighbours meet it there as often as chance has it.
static bool isSpread(const access::Work &W, const access::Cost &C) {
  // So rough that it may count sectors as they are on all GPUs so far.
  constexpr double Sparse = 16, SectorBytes = profile::RequestLaw().SectorBytes;
  // Windows that slide along from block to block meet less often. A judgement
  // between the two; no other was tried.
  constexpr double Usual = 0.8;
  if (!C.IsIndexed || !C.Reach->ExtentBytes)
    return false;
  const double Asked = C.Weight / W.Blocks * C.Sectors.value_or(0) *
                       C.Reach->FreshSectors * SectorBytes;
  if (*C.Reach->ExtentBytes > Sparse * Asked)
    return true;
  const double Chance = std::min(1.0, Asked / *C.Reach->ExtentBytes);
  return std::any_of(C.Reach->FreshBeside.begin(), C.Reach->FreshBeside.end(),
                     [&](double Fresh) { return 1 - Fresh > Usual * Chance; });
}

/// Of the sectors of a store, what is left to write where L1 merges what the
/// siblings store. What is stored twice is not merged.
static double togetherSectors(const access::Cost &C, double All) {
  return std::min(
      All, std::max(C.SharedSectors.value_or(All), C.IdealSectors.value_or(0)));
}

/// How often the slowest warp waits for a request of \p A, for each request
/// that a warp makes. nvcc writes a loop out that it does not know the rounds
/// of, and has what is left over run one by one: fewer rounds than it wrote out
/// each wait for their own loads. Where ptxas has written that out again, what
/// is left over of many rounds runs four at a time first.
static double waitsOf(const access::Access &A, const access::Cost &C) {
  constexpr double Usual = 4; // rounds that are written out, before ptxas
  const double Rounds = A.LoopDepth == 1 ? C.PerWarp : C.RoundsPerEntry;
  if (Rounds <= 0 || A.IsWrittenOut || A.Waits <= 0)
    return A.Waits;
  const double Together = std::floor(Rounds * A.Waits) / A.Waits;
  const double Left = std::max(0.0, Rounds - Together);
  if (A.Waits * Usual >= 1)
    return Together > 0 ? A.Waits : std::ceil(Rounds) / Rounds;
  const double Alone = std::ceil(Left - Usual * std::floor(Left / Usual));
  return (Together * A.Waits + std::floor(Left / Usual) + Alone) / Rounds;
}

/// \p Bytes of each thread, once in every run of half of the kernel's hottest
/// part, word by word.
static SiteTraffic spilled(const access::Work &W, Operation Op,
                           uint64_t Bytes) {
  SiteTraffic T;
  T.Memory = Space::Local;
  T.Op = Op;
  T.Bytes = 4;
  T.Lanes = WarpLanes;
  T.Sectors = T.Together = 4;
  T.Lines = T.LinePasses = 1;
  T.PerWarp = double(Bytes) / T.Bytes * (1 + W.MostRuns) / 2;
  T.Requests =
      T.PerWarp * W.Blocks * std::ceil(W.BlockThreads / double(WarpLanes));
  return T;
}

/// What bulk copies of \p W bring, as whole warps that load 16 bytes a lane and
/// wait for nothing would.
static SiteTraffic broughtInBulk(const access::Work &W) {
  SiteTraffic T;
  T.Bytes = 16;
  T.Lanes = WarpLanes;
  T.Sectors = T.Together = 16;
  T.Lines = T.LinePasses = 4;
  T.Requests = W.BulkBytes / (T.Bytes * T.Lanes);
  return T;
}

void keepRequests(SiteTraffic &T, double Share) {
  if (Share <= 0) {
    T.Requests = T.PerWarp = 0;
    return;
  }
  T.Requests *= Share;
  T.PerWarp *= Share;
  // What is left is what went to L2 before.
  T.Missing = std::min(1.0, T.Missing / Share);
  T.MissingRequests = std::min(1.0, T.MissingRequests / Share);
}

/// What \p C says of a request of \p A, in the units of the price.
static void addCost(SiteTraffic &T, const access::Access &A,
                    const access::Cost &C) {
  T.Requests = C.Weight;
  T.PerWarp = C.PerWarp;
  T.Waits = waitsOf(A, C);
  T.Lanes = C.ActiveLanes;
  // Where no number is likely, at least what is needed is moved.
  T.Sectors = C.Sectors.value_or(C.IdealSectors.value_or(0));
  T.Together = togetherSectors(C, T.Sectors);
  T.Lines = C.Lines;
  T.LinePasses = C.LinePasses;
  T.Wavefronts = C.Wavefronts.value_or(C.IdealWavefronts.value_or(0));
  T.Words = C.Words.value_or(0);
  T.IsRandom = isScattered(C);
  T.IsIndexed = C.IsIndexed;
  T.IsChosen = C.IsIndexed || C.State == access::Proof::DataDependent;
  if (C.ObjectBytes)
    T.ObjectBytes = double(*C.ObjectBytes);
  if (C.ObjectBytes && (T.IsRandom || T.IsIndexed))
    T.ExtentBytes = T.ObjectBytes;
  if (A.Memory == Space::Shared) {
    T.Requests /= A.RoundsAtOnce;
    // Where data decide, the lanes want as many words as before, and no fewer.
    if (A.RoundsAtOnce > 1)
      T.Wavefronts = C.JoinedWavefronts.value_or(
          std::max(T.Wavefronts, A.RoundsAtOnce * A.Bytes / 4.0));
  }
}

/// Lanes of \p T want sectors of a table of \p Bytes as data say, any as often
/// as any other: a block has soon seen most of a small one.
static void chooseFrom(SiteTraffic &T, double Bytes, const access::Work &W) {
  constexpr double SectorBytes = profile::RequestLaw().SectorBytes;
  const double All = std::max(1.0, Bytes / SectorBytes);
  const double Asked = T.Requests / W.Blocks * T.Sectors * T.Missing;
  if (Asked <= 0)
    return;
  const double First = T.Missing * All * (1 - std::exp(-Asked / All)) / Asked;
  T.ChosenAgain = T.Missing - First;
  T.Missing = First;
  T.MissingRequests = std::min(1.0, T.Sectors * First);
}

/// Which of the sectors are asked for again, and by whom.
static void addReach(SiteTraffic &T, const access::Cost &C,
                     const access::Work &W,
                     const std::optional<launch::Dim3> &Grid) {
  if (!C.Reach) {
    // Of what siblings share one of them has to ask at least.
    if (T.Sectors > 0 && C.SharedSectors)
      T.Missing = std::min(1.0, *C.SharedSectors / T.Sectors);
    if (T.IsIndexed && C.ObjectBytes && T.Sectors > 0)
      chooseFrom(T, double(*C.ObjectBytes), W);
    return;
  }
  T.LostLines = C.Reach->LostLines;
  T.Missing = C.Reach->FreshSectors;
  T.MissingRequests = C.Reach->FreshRequests;
  T.Again = C.Reach->Again;
  T.OwnSectors = C.Reach->OwnSectors;
  T.OwnBytes = C.Reach->OwnBytes;
  T.Turns = C.Reach->Turns;
  T.AlsoRead = C.Reach->AlsoRead;
  T.Used = C.Reach->UsedBytes;
  if (T.IsRandom)
    T.UsedSectors = C.Reach->UsedSectors;
  if (const auto Seen = C.Reach->ExtentBytes;
      Seen && (T.IsRandom || isSpread(W, C)))
    T.ExtentBytes = std::min(*Seen, T.ExtentBytes.value_or(*Seen));
  T.SameBeside = C.Reach->SameBeside;
  T.FreshBeside = C.Reach->FreshBeside;
  for (unsigned Axis = 0; Axis != 3; ++Axis)
    if (const double Blocks = Grid ? (*Grid)[Axis] : 1; Blocks > 1)
      T.Unique *= uniqueOf(Blocks, T.FreshBeside[Axis]);
}

/// Whether the warp waits for a load before \p A and after every other store of
/// its group, so that L1 has sent those on.
static bool isStoredApart(const access::Kernel &K, const access::Access &A) {
  const auto isSibling = [&](const access::Access &B) {
    return &A != &B && B.Op == Operation::Store && B.Group == A.Group;
  };
  return A.Op == Operation::Store && A.Group && A.WaitGroup &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(), isSibling) &&
         std::none_of(K.Accesses.begin(), K.Accesses.end(),
                      [&](const access::Access &B) {
                        return isSibling(B) && B.WaitGroup == A.WaitGroup;
                      });
}

/// Whether each round of the loop around \p A waits for a load, so that L1 has
/// sent on what was stored in the round before: runs-of-four-loaded-at-once of
/// test/gpu/pairs, where a store may hit what is loaded next.
static bool isStoredByRounds(const access::Kernel &K, const access::Access &A,
                             unsigned Launch) {
  return A.Op == Operation::Store && A.LoopDepth > 0 &&
         std::any_of(K.Accesses.begin(), K.Accesses.end(),
                     [&](const access::Access &B) {
                       return B.Op == Operation::Load && B.Loop == A.Loop &&
                              B.Memory == Space::Global && B.Waits >= 1 &&
                              makesRequests(B, Launch);
                     });
}

Demands demandsOf(const access::Kernel &K, unsigned Launch) {
  Demands D;
  D.Besides = K.Works.at(Launch);
  D.Registers = K.Registers.value_or(0);
  D.Spills = {spilled(D.Besides, Operation::Store, K.SpillStores),
              spilled(D.Besides, Operation::Load, K.SpillLoads)};
  D.PrivateBytes = double(K.SpillBytes);
  for (const access::PrivateArray &Array : K.PrivateArrays)
    D.PrivateBytes += double(Array.Bytes);
  const auto &Grid = D.Grid = K.Launches.at(Launch).Grid;
  for (const access::Access &A : K.Accesses) {
    SiteTraffic T;
    T.Memory = A.Memory;
    T.Op = A.Op;
    T.Bytes = A.Bytes;
    T.Waits = A.Waits;
    T.WaitGroup = A.WaitGroup;
    T.Root = A.Root;
    T.IsFloat = A.Of.Holds == access::Element::Kind::Float;
    T.UnknownLoops = A.Trips ? 0 : A.LoopDepth;
    T.IsJoined = A.IsJoined;
    T.IsVolatile = A.Sort == access::Access::Kind::Volatile;
    T.IsCounted = A.IsCounted;
    T.RoundsAddUp = A.RoundsAddUp;
    T.IsAsyncCopy = A.Sort == access::Access::Kind::AsyncCopy;
    T.RepeatsPerLane = A.RepeatsPerLane;
    if (const access::Cost *C = costUnder(A, Launch)) {
      addCost(T, A, *C);
      if (isStoredApart(K, A) || isStoredByRounds(K, A, Launch))
        T.Together = T.Sectors;
      addReach(T, *C, D.Besides, Grid);
    }
    D.Besides.Issued[unsigned(Pipe::Memory)] -= T.Requests * (1 - A.Kept);
    keepRequests(T, A.Kept);
    D.Sites.push_back(T);
  }
  if (D.Besides.BulkBytes > 0)
    D.Sites.push_back(broughtInBulk(D.Besides));
  return D;
}

/// The parts of \p T with their names, the busiest first.
static std::array<std::pair<double, std::string_view>, 9>
sortedParts(const KernelTime &T) {
  std::array<std::pair<double, std::string_view>, 9> Parts = {
      {{T.Atomics, "atomics"},
       {T.Dram, "DRAM"},
       {T.L2, "L2"},
       {T.LoadStore, "the load and store unit"},
       {T.Issue, "instructions"},
       {T.Constant, "constant memory"},
       {T.Latency, "latency"},
       {T.Dispatch, "the launch of blocks"},
       {T.Launch, "the launch"}}};
  std::sort(Parts.begin(), Parts.end(),
            [](const auto &A, const auto &B) { return A.first > B.first; });
  return Parts;
}

std::string_view KernelTime::boundBy() const {
  return sortedParts(*this).front().second;
}

std::string KernelTime::bounds() const {
  constexpr double Nearly = 0.8;
  const auto Parts = sortedParts(*this);
  std::string Text(Parts[0].second);
  if (Parts[1].first >= Nearly * Parts[0].first)
    Text += " and " + std::string(Parts[1].second);
  return Text;
}

double totalOf(const KernelTime &T) {
  const double Calculation = std::max(T.Issue, T.Constant);
  const auto beside = [&](double Memory, double L2) {
    return powerMean(Power, {Memory, L2, T.LoadStore, Calculation, T.Latency});
  };
  const double Work =
      std::max(beside(0, T.L2), beside(T.Dram, L2BesideDram * T.L2));
  return T.Launch +
         std::max(T.Atomics, powerMean(LaunchPower, {Work, T.Dispatch}));
}

KernelTime timeOf(const Demands &D, const DeviceRates &Device, Caches State) {
  return Clock(D, Device, State).read();
}

} // namespace warpwise::price
