//===- KernelTime.cpp - How long a launch takes, and why ------------------===//

#include "analyzer/price/KernelTime.h"

#include "profiler/profile/Occupancy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

namespace warpwise::price {

using access::Operation;
using access::Space;
using access::WarpLanes;

namespace {

/// The exponent for what keeps an SM and the memory busy side by side, by how
/// many of its warps an SM has. Judged by the tuning pairs, times and gains
/// together (docs/price.md): 1.5 to 1.8 for none and 0.6 to 0.9 more for all
/// fit about as well.
double powerOf(double Occupancy) { return 1.7 + 0.7 * Occupancy; }

/// Of the time that L2 takes, what counts beside that of DRAM: what DRAM brings
/// and takes passes through L2 meanwhile. Judged by the tuning pairs.
constexpr double L2BesideDram = 0.5;

/// The exponent for the launch of blocks beside all of that: an SM works on
/// while blocks arrive.
constexpr double LaunchPower = 6;

/// From a failed exchange to the next: the sum, the comparison and the branch.
/// About so many; they were not measured one by one.
constexpr double ExchangeSteps = 5;

/// A compare-and-swap takes as long as so many other passes through shared
/// memory for each of its own (test/gpu/emulated-atomics).
constexpr double SwapPasses = 1.5;

/// Of a round, the time after which the next lane of a block succeeds at a word
/// that all want: the whole with few warps, and less the more try, as one of
/// them is always about to (test/gpu/emulated-atomics, 1 to 32 warps).
double untilNextSwap(double Warps) {
  return std::clamp(1.25 - 0.04 * Warps, 0.56, 1.0);
}

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

/// How many times as long a loop takes that compares and swaps a word of global
/// memory as an atomic that does the same: by itself, and more for each lane
/// under way that could have come between (additions of halves, of which nvcc
/// makes such loops: test/gpu/emulated-atomics, on an H200, 32 to 2^20 words,
/// within 1.4; loops of programs: *-native-atomic of test/gpu/pairs).
constexpr unsigned HalfBytes = 2;
constexpr double SwapAlone = 2.6, SwapAgain = 0.33;

double powerMean(double Of, std::initializer_list<double> Parts) {
  double Sum = 0;
  for (const double Part : Parts)
    Sum += std::pow(std::max(Part, 0.0), Of);
  return std::pow(Sum, 1 / Of);
}

RunningBlocks runningBlocks(const Demands &D, const DeviceRates &Device) {
  const access::Work &W = D.Besides;
  const profile::Occupancy Held = profile::occupancyOf(
      {Device.SmThreads, Device.SmBlocks, Device.SmRegisters,
       uint64_t(Device.SmSharedBytes), uint64_t(Device.ReservedSharedBytes)},
      {W.BlockThreads, D.Registers, W.SharedBytes});
  RunningBlocks Its;
  Its.Busy = std::max(1.0, W.Blocks * (1 - W.IdleBlocks));
  Its.UsedSms = std::min(Device.Sms, Its.Busy);
  Its.Resident = std::max(1.0, double(Held.Blocks));
  return Its;
}

/// Sums over the sites of a launch, in clocks of the part in question.
class Clock {
  const Demands &D;
  const DeviceRates &Device;
  const Caches State;
  const RunningBlocks Running;
  const CacheTraffic Kept;
  double Waves; ///< rounds of blocks
  /// SMs that would take as long with as many blocks each as the fullest has:
  /// of 200 blocks on 132 SMs some have two, and the others wait for these.
  double EvenSms;
  double L2Reads = 0, L2Writes = 0;
  double DramReads = 0, DramWrites = 0; ///< bytes
  double LoadStore = 0, Constant = 0, Atomics = 0;
  double Beside = 0;   ///< instructions of local memory
  double UnderWay = 0; ///< clocks that loads are, one by one
  /// Sectors that loads miss and that they want, of those under way together.
  std::map<std::pair<std::optional<unsigned>, std::optional<unsigned>>,
           std::array<double, 2>>
      Fetched;
  double Repeats = 0; ///< of a warp's and a block's swaps, by turns
  std::map<unsigned, double> Waits; ///< of a warp, by group

public:
  Clock(const Demands &D, const DeviceRates &Device, Caches State)
      : D(D), Device(Device), State(State), Running(runningBlocks(D, Device)),
        Kept(D, Device, Running, State) {
    EvenSms = Running.Busy / std::ceil(Running.Busy / Device.Sms);
    Waves = std::max(1.0, Running.Busy / (Device.Sms * Running.Resident));
    for (const SiteTraffic &T : D.Sites)
      if (T.Memory == Space::Global && T.Op == access::Operation::Load) {
        auto &[Missed, Wanted] = Fetched[{T.Root, T.WaitGroup}];
        Missed += T.Requests * T.Sectors * T.Missing;
        Wanted += T.Requests * T.Distinct;
      }
  }

  KernelTime read() {
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
    T.Dram = Ns * dramTime() / Device.DramShare.at(Running.UsedSms);
    // What L1 is sent and what it sends on take ways of their own.
    T.L2 = Ns * powerMean(OnChipPower, {L2Reads, L2Writes});
    LoadStore += W.SwitchedOff * Device.PerPass;
    T.LoadStore = Ns * LoadStore / EvenSms;
    T.UnderWay = Ns * UnderWay / Device.LoadsUnderWay / EvenSms;
    T.Constant = Ns * Constant / EvenSms;
    Issued += Beside;
    T.Issue = Ns * std::max(Issued / Device.Issue, Busiest) / EvenSms;
    T.Latency = Ns * (Waves * Chain + (Waves - 1) * Device.Refill);
    T.Dispatch =
        Ns * W.Blocks / Device.Sms * Device.BlockInterval.at(W.BlockThreads);
    T.Atomics = Ns * Atomics / Device.Sms;
    T.Resident = Running.Resident;
    T.Waves = Waves;
    const double Held =
        std::min(Running.Resident, std::ceil(Running.Busy / Running.UsedSms));
    T.Occupancy = std::min(1.0, Held * Warps * WarpLanes / Device.SmThreads);
    T.Total = totalOf(T);
    return T;
  }

private:
  double dramTime() const {
    return DramReads / Device.DramReadBytes +
           DramWrites / Device.DramWriteBytes +
           std::min(DramReads, DramWrites) * Device.DramTurn;
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
      if (T.SwapRounds > 0)
        return addSwapLoop(T);
      LoadStore += T.Requests * T.Wavefronts * Device.PerPass;
      Latency = Device.SharedLatency + (T.Wavefronts - 1) * Device.PassLatency;
      break;
    case Space::Constant: {
      // One that all lanes want is an operand of the instruction that wants it.
      const bool Differ = T.Words > std::max(1.0, T.Bytes / 8.0);
      // Lines come while words of others are handed out. Warps that data lead
      // share none.
      const double PerLine =
          T.IsChosen ? Device.PerConstantLineApart : Device.PerConstantLine;
      Constant +=
          T.Requests *
          std::max(Differ ? T.Words * Device.PerConstantWord : fetchTime(T),
                   T.LostLines * PerLine);
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

  /// Each round compares and swaps, and of the lanes of a block that want a
  /// word one succeeds at a time.
  void addSwapLoop(const SiteTraffic &T) {
    const double Round = Device.SharedLatency + Device.SharedExchangeLatency +
                         ExchangeSteps * Device.ArithmeticLatency;
    const double Warps = std::ceil(D.Besides.BlockThreads / double(WarpLanes));
    LoadStore +=
        T.Requests * T.SwapRounds * T.Wavefronts * SwapPasses * Device.PerPass;
    Beside += T.Requests * (T.SwapRounds - 1) * ExchangeSteps;
    Repeats += T.PerWarp * T.SwapRounds * Round +
               T.Requests / Running.Busy * T.Lanes * T.ForeignTurns * Round *
                   untilNextSwap(Warps);
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
                (Device.L2WriteBytes * Device.WriteShare.at(Running.UsedSms)) +
            Partial / (Device.L2PartialBytes.at(Apart) *
                       Device.PartialShare.at(Running.UsedSms)));
  }

  /// L2 looks a line up for one sector of it as for all.
  double readBytesTime(const SiteTraffic &T, double Missing) const {
    const double Together =
        T.Lines > 0 ? std::clamp(T.Sectors / T.Lines, 1.0,
                                 Device.LineBytes / Device.SectorBytes) *
                          Device.SectorBytes
                    : Device.LineBytes;
    return T.Requests * T.Sectors * Missing * Device.SectorBytes /
           (Device.L2ReadTogether.at(Together) *
            Device.ReadShare.at(Running.UsedSms));
  }

  bool usesL1(const SiteTraffic &T) const {
    return Device.GlobalLoadsUseL1 && !T.IsVolatile;
  }

  /// What all warps want of a few lines, past L1, as few slices of L2 serve.
  double hotLinesTime(const SiteTraffic &T) const {
    if (!T.IsVolatile || Kept.uniqueBytes(T) <= 0)
      return 0;
    const double Lines = std::max(1.0, Kept.placeBytes(T) / Device.LineBytes);
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

  /// Of the sectors of \p T, those that it or a sibling asks for first: a load
  /// of a line that is under way waits as long as the one that misses it.
  double sharedMisses(const SiteTraffic &T) const {
    const auto Its = Fetched.find({T.Root, T.WaitGroup});
    if (Its == Fetched.end() || Its->second[1] <= 0)
      return 0;
    return std::min(1.0, Its->second[0] / Its->second[1]);
  }

  /// Returns how long a request of \p T takes.
  double addGlobal(const SiteTraffic &T) {
    (T.Op == Operation::Load ? DramReads : DramWrites) += Kept.dramBytes(T);
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
    const double OfBlocks = Kept.missingOfBlocks(T);
    const double GivenUp = Kept.givenUp(T);
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
    const double FromAfar = (State == Caches::Cold ? 1 : Kept.lostShare()) *
                            std::max(T.Unique, 1 / Waves);
    const double Far =
        Device.L2Latency + FromAfar * (Device.DramLatency - Device.L2Latency);
    const double Near = usesL1(T) ? Device.L1Latency : Device.L2Latency;
    const double First = T.MissingRequests * OfBlocks;
    UnderWay +=
        T.Requests *
        (Near + std::max(First, sharedMisses(T) * OfBlocks) * (Far - Near));
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
    const double Wanted =
        D.PrivateBytes * D.Besides.BlockThreads * Running.Resident;
    const double Missing =
        Wanted > 0 ? 1 - std::min(1.0, Kept.l1Room() / Wanted) : 0;
    const bool IsStore = T.Op == Operation::Store;
    if (IsStore)
      L2Writes += storedBytesTime(T);
    else
      L2Reads += readBytesTime(T, Missing);
    Beside += T.Requests * (1 + LocalAddress); // the load or store itself, too
    const double Misses = IsStore ? 1 : Missing;
    const double Threads =
        D.Besides.BlockThreads *
        std::min(Running.Busy, Running.Resident * Running.UsedSms);
    // Of a large array a thread may want little.
    const double Lost =
        std::isfinite(T.ObjectBytes)
            ? Kept.lostShareOf(std::min(T.ObjectBytes, T.PerWarp * T.Bytes) *
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
    const double Longer = longerBySwaps(T, Words);
    if (const double Rate = R.ByWords.at(Words);
        Rate > 0 && Words > 1 && hitsAtRandom(T, Words))
      Atomics += Longer * std::max(Lanes / Rate, Turns);
    else
      Atomics +=
          Longer *
          std::max(
              {Sectors / R.Spread + (R.Again > 0 ? Again / R.Again : 0),
               Lanes / (R.SameLine * Slices),
               Lanes / (R.SameWord * std::max(1.0, Words / Lines) * Slices),
               Turns});
  }

  /// How many times as long as atomics that L2 carries out those to \p Words
  /// words take that are loops. Of halves, two of which share a word, all lanes
  /// to one is what nvcc does better with.
  double longerBySwaps(const SiteTraffic &T, double Words) const {
    const bool IsHalf = T.Bytes == HalfBytes;
    if (IsHalf ? Words <= 1 : T.Swaps == access::SwapLoop::None)
      return 1;
    const double UnderWay =
        std::min(T.Requests * T.Lanes,
                 Running.Resident * Running.UsedSms * D.Besides.BlockThreads);
    // Lanes with places of their own meet none but the one beside them. What
    // puts there what was there before disturbs nobody: extremes soon do, and
    // bits that are set.
    const bool Meet = T.IsIndexed || T.IsChosen || T.Turns > T.Sectors;
    const bool Disturbs = IsHalf || T.Swaps == access::SwapLoop::Sum;
    const double Others =
        Meet && Disturbs ? UnderWay / (IsHalf ? Words / 2 : Words) : 0;
    return SwapAlone + SwapAgain * Others;
  }
};

} // namespace

/// The parts of \p T with their names, the busiest first.
static std::array<std::pair<double, std::string_view>, 10>
sortedParts(const KernelTime &T) {
  std::array<std::pair<double, std::string_view>, 10> Parts = {
      {{T.Atomics, "atomics"},
       {T.Dram, "DRAM"},
       {T.L2, "L2"},
       {T.LoadStore, "the load and store unit"},
       {T.UnderWay, "loads under way"},
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
    return powerMean(powerOf(T.Occupancy),
                     {Memory, L2, std::max(T.LoadStore, T.UnderWay),
                      Calculation, T.Latency});
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
