//===- RequestTableSimulator.cpp - An SM's loads, with a known answer -----===//

#include "profiler/inference/simulate/RequestTableSimulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <queue>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// Entries that are taken until a known time.
class EntryTable {
public:
  explicit EntryTable(unsigned Entries) : Entries(Entries) {}

  /// The first time from \p Now on at which an entry is free.
  double freeAt(double Now) {
    while (!Releases.empty() && Releases.top() <= Now)
      Releases.pop();
    return Releases.size() < Entries ? Now : Releases.top();
  }
  void takeUntil(double Release) { Releases.push(Release); }

private:
  unsigned Entries;
  std::priority_queue<double, std::vector<double>, std::greater<>> Releases;
};

struct Warp {
  unsigned Threads = 0;
  unsigned Issued = 0;
  std::vector<double> Arrivals; ///< of each load
};

/// One block from its first load to its last arrival. The load/store unit works
/// through the loads in the order in which they get ready.
class Run {
public:
  Run(const LoadPath &Path, const ThreadLatencySeries &Pattern,
      unsigned Threads, std::mt19937_64 &Random)
      : Path(Path), Pattern(Pattern), Random(Random) {
    for (unsigned First = 0; First < Threads; First += WarpSize)
      Warps.push_back({std::min(WarpSize, Threads - First), 0, {}});
    const bool PerScheduler = Path.Design == LoadPath::Table::PrtPerScheduler;
    Tables.assign(PerScheduler ? Path.Schedulers : 1,
                  EntryTable(Path.Design == LoadPath::Table::None
                                 ? std::numeric_limits<unsigned>::max()
                                 : Path.Entries));
    BlocksPerLoad = blockOf(Threads - 1) + 1;
    Blocks.resize(Pattern.LoadsPerThread * BlocksPerLoad);
  }

  double lastArrival() {
    double Last = 0;
    while (const auto Next = nextWarp()) {
      issue(*Next);
      Last = std::max(Last, Warps[*Next].Arrivals.back());
    }
    return Last;
  }

private:
  EntryTable &tableOf(unsigned W) { return Tables[W % Tables.size()]; }

  /// When warp \p W can hand its next load to the unit.
  double readyAt(unsigned W) {
    const Warp &Of = Warps[W];
    double Ready = Now;
    if (Path.LoadsPerWarp != 0 && Of.Issued >= Path.LoadsPerWarp)
      Ready = std::max(Ready, Of.Arrivals[Of.Issued - Path.LoadsPerWarp]);
    // Only a table of its scheduler holds a warp back before the unit.
    if (Path.Design == LoadPath::Table::PrtPerScheduler)
      Ready = tableOf(W).freeAt(Ready);
    return Ready;
  }

  std::optional<unsigned> nextWarp() {
    std::optional<unsigned> Next;
    double Earliest = 0;
    for (unsigned W = 0; W != Warps.size(); ++W) {
      if (Warps[W].Issued == Pattern.LoadsPerThread)
        continue;
      const double Ready = readyAt(W);
      if (!Next || Ready < Earliest ||
          (Ready == Earliest && Warps[W].Issued < Warps[*Next].Issued)) {
        Next = W;
        Earliest = Ready;
      }
    }
    if (Next)
      Now = Earliest;
    return Next;
  }

  double arrivalOf(double Issued) {
    const double Spread =
        Path.LatencySpread > 0
            ? std::uniform_real_distribution<>(0, Path.LatencySpread)(Random)
            : 0;
    LastReturn = std::max(Issued + Path.Latency + Spread,
                          LastReturn + Path.ReturnCycles);
    return LastReturn;
  }

  /// Requests \p Words words of one block, from MSHRs. Returns when the last of
  /// them arrives.
  double requestMshr(size_t Block, unsigned Words) {
    double Last = 0;
    while (Words != 0) {
      Pending &Entry = Blocks[Block];
      const bool Open = Entry.Until > Now;
      const bool Full = Path.Merges != 0 && Entry.Words >= Path.Merges;
      if (Open && Full && Path.WaitsForFullEntry)
        Now = Entry.Until;
      if (!Open || Full) {
        Now = Tables[0].freeAt(Now) + Path.IssueCycles;
        Entry = {arrivalOf(Now), 0};
        Tables[0].takeUntil(Entry.Until);
      }
      const unsigned Taken =
          Path.Merges == 0 ? Words : std::min(Words, Path.Merges - Entry.Words);
      Entry.Words += Taken;
      Words -= Taken;
      Last = std::max(Last, Entry.Until);
    }
    return Last;
  }

  void issue(unsigned W) {
    Warp &Of = Warps[W];
    const bool Mshr = Path.Design == LoadPath::Table::Mshr;
    if (Path.Design == LoadPath::Table::Prt)
      Now = tableOf(W).freeAt(Now);
    double Last = 0;
    const unsigned First = W * WarpSize;
    for (unsigned T = First; T != First + Of.Threads;) {
      const size_t Block = blockOf(T);
      unsigned Words = 0;
      for (; T != First + Of.Threads && blockOf(T) == Block; ++T)
        ++Words;
      if (Mshr) {
        // Arrays of different loads share no block.
        Last = std::max(Last,
                        requestMshr(Of.Issued * BlocksPerLoad + Block, Words));
        continue;
      }
      Now += Path.IssueCycles;
      Last = std::max(Last, arrivalOf(Now));
    }
    if (!Mshr && Path.Design != LoadPath::Table::None)
      tableOf(W).takeUntil(Last);
    Of.Arrivals.push_back(Last);
    ++Of.Issued;
  }

  size_t blockOf(unsigned Thread) const {
    return size_t(Thread / Pattern.Merge) * Pattern.StepBytes /
           Path.RequestBytes;
  }

  struct Pending {
    double Until = 0;
    unsigned Words = 0;
  };

  const LoadPath &Path;
  const ThreadLatencySeries &Pattern;
  std::mt19937_64 &Random;
  std::vector<Warp> Warps;
  std::vector<EntryTable> Tables;
  std::vector<Pending> Blocks; ///< those of the first load, of the second, ...
  size_t BlocksPerLoad = 0;
  double Now = 0;
  double LastReturn = 0;
};

} // namespace

double RequestTableSimulator::cycles(const ThreadLatencySeries &Pattern,
                                     unsigned Threads) {
  return Path.Overhead + Run(Path, Pattern, Threads, Random).lastArrival();
}

ThreadLatencySeries RequestTableSimulator::measure(unsigned LoadsPerThread,
                                                   unsigned Merge,
                                                   unsigned StepBytes,
                                                   unsigned ThreadStep,
                                                   unsigned MaxThreads) {
  ThreadLatencySeries S{LoadsPerThread, Merge, StepBytes, {}};
  std::normal_distribution<> Normal(0, 1);
  std::uniform_real_distribution<> Uniform(0, 1);
  for (unsigned T = ThreadStep; T <= MaxThreads; T += ThreadStep) {
    double Cycles = cycles(S, T) + Noise.Sigma * Normal(Random);
    if (Uniform(Random) < Noise.OutlierShare)
      Cycles += Noise.OutlierCycles * Uniform(Random);
    S.Points.push_back({T, std::round(Cycles)});
  }
  return S;
}
