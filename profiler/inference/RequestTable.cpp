//===- RequestTable.cpp - MSHR, PRT or neither ----------------------------===//
//
// Every knee bounds the table: what was in flight before it fits, what was
// after it does not. The right way of counting is the one for which these
// bounds agree.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/RequestTable.h"

#include "profiler/inference/Statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

/// A difference of latencies from here on is another round trip.
constexpr double AnotherRoundTrip = 0.5;
/// Knees that have to agree, and their share, for a decision.
constexpr unsigned LeastKnees = 2;
constexpr double LeastShare = 0.75;

struct Interval {
  uint64_t Low = 0, High = 0;
  bool holds(uint64_t Value) const { return Low <= Value && Value <= High; }
  bool isEmpty() const { return Low > High; }
  bool meets(const Interval &O) const { return Low <= O.High && O.Low <= High; }
};

/// The latency of a single warp: of the three points up to 32 threads, or of
/// those that there are.
std::optional<double> oneWarp(const ThreadLatencySeries &S) {
  const auto Beyond =
      std::find_if(S.Points.begin(), S.Points.end(),
                   [](const auto &P) { return P.Threads > WarpSize; });
  std::vector<double> Cycles;
  for (auto P = Beyond; P != S.Points.begin() && Cycles.size() != 3;)
    Cycles.push_back((--P)->Cycles);
  if (Cycles.empty())
    return std::nullopt;
  return median(Cycles);
}

double shortestLatency(std::span<const ThreadLatencySeries> Series) {
  double Least = std::numeric_limits<double>::infinity();
  for (const auto &S : Series) {
    // The second smallest is safe from a stray reading.
    std::vector<double> Cycles;
    Cycles.reserve(S.Points.size());
    for (const auto &P : S.Points)
      Cycles.push_back(P.Cycles);
    std::sort(Cycles.begin(), Cycles.end());
    if (!Cycles.empty())
      Least = std::min(Least, Cycles[Cycles.size() > 1 ? 1 : 0]);
  }
  return std::isfinite(Least) ? Least : 0;
}

/// Adds LoadsPerWarp and LoadsTried. A warp's own limit shows in every pattern;
/// a table that one warp fills shows earlier, in some.
void findLoadsPerWarp(std::span<const ThreadLatencySeries> Series,
                      RequestTable &T) {
  std::map<std::pair<unsigned, unsigned>, std::map<unsigned, double>> Patterns;
  for (const auto &S : Series)
    if (const auto Cycles = oneWarp(S))
      Patterns[{S.Merge, S.StepBytes}][S.LoadsPerThread] = *Cycles;
  for (const auto &[Pattern, ByLoads] : Patterns) {
    const auto Jump = std::adjacent_find(
        ByLoads.begin(), ByLoads.end(), [&](const auto &A, const auto &B) {
          return B.second - A.second >= AnotherRoundTrip * T.RoundTrip;
        });
    if (Jump == ByLoads.end()) {
      // Where the loads themselves take half a round trip to issue, waiting for
      // the first of them costs little: these tell nothing.
      for (const auto &[Loads, Cycles] : ByLoads)
        if (Cycles - ByLoads.begin()->second < AnotherRoundTrip * T.RoundTrip)
          T.LoadsTried = std::max(T.LoadsTried, Loads);
      continue;
    }
    const std::array Limit{Jump->first, std::next(Jump)->first - 1};
    if (!T.LoadsPerWarp || Limit > *T.LoadsPerWarp)
      T.LoadsPerWarp = Limit;
  }
  if (T.LoadsPerWarp && T.LoadsTried > (*T.LoadsPerWarp)[0])
    T.LoadsPerWarp.reset();
  if (T.LoadsPerWarp)
    T.LoadsTried = (*T.LoadsPerWarp)[1] + 1;
}

/// A curve with more loads than a warp can have pending comes in batches and
/// tells nothing about the table.
bool isWithinLoads(const ThreadLatencySeries &S, const RequestTable &T) {
  return !T.LoadsPerWarp || S.LoadsPerThread <= (*T.LoadsPerWarp)[0];
}

/// Merging more can only save requests. If one warp takes another round trip
/// for it, the next request for a full entry has to wait until that is free.
bool isStalledByMerging(std::span<const ThreadLatencySeries> Series,
                        const ThreadLatencySeries &S, const RequestTable &T) {
  const auto Cycles = oneWarp(S);
  return Cycles &&
         std::any_of(Series.begin(), Series.end(), [&](const auto &Less) {
           return Less.LoadsPerThread == S.LoadsPerThread &&
                  Less.StepBytes == S.StepBytes && Less.Merge < S.Merge &&
                  *Cycles - oneWarp(Less).value_or(*Cycles) >=
                      AnotherRoundTrip * T.RoundTrip;
         });
}

/// Whether curve \p I can tell how large the table is.
bool tellsEntries(std::span<const ThreadLatencySeries> Series,
                  const RequestTable &T, size_t I) {
  return T.Shapes[I].Form == Growth::Saturates && isWithinLoads(Series[I], T) &&
         !isStalledByMerging(Series, Series[I], T);
}

/// Words of a warp that fall into one block of the axis.
unsigned requestsPerEntry(const ThreadLatencySeries &S, InFlight Axis,
                          const SmShape &Sm) {
  const unsigned Block =
      Axis == InFlight::Lines ? Sm.LineBytes : Sm.SectorBytes;
  return S.Merge * std::max(1u, Block / S.StepBytes);
}

bool isMshr(InFlight Axis) {
  return Axis == InFlight::Lines || Axis == InFlight::Sectors;
}

/// What the curve had in flight together: before it bent, else at its end, if
/// nothing held it up but its own throughput.
uint64_t reached(const ThreadLatencySeries &S, const SeriesShape &Shape,
                 const RequestTable &T, InFlight Axis, const SmShape &Sm) {
  if (S.Points.empty() || !isWithinLoads(S, T))
    return 0;
  if (Shape.LastFree != 0)
    return countInFlight(S, Shape.LastFree, Axis, Sm);
  const uint64_t Count = countInFlight(S, S.Points.back().Threads, Axis, Sm);
  return uint64_t(Count *
                  std::min(1.0, T.RoundTrip / std::max(Shape.Rise, 1.0)));
}

/// Bounds of merges per entry from a curve that saturates with too few unique
/// requests: each of them needs several entries.
std::optional<Interval> mergesFromEarlyKnee(const Interval &Knee,
                                            const Interval &Entries,
                                            unsigned Requests) {
  for (unsigned PerRequest = 2; PerRequest <= Requests; ++PerRequest) {
    const Interval Scaled{Knee.Low * PerRequest,
                          Knee.High * PerRequest + PerRequest - 1};
    if (Scaled.meets(Entries))
      return Interval{(Requests + PerRequest - 1) / PerRequest,
                      (Requests + PerRequest - 2) / (PerRequest - 1) - 1};
  }
  return std::nullopt;
}

void boundMerges(TableFit &Fit, const Interval &By) {
  Fit.MergesLow = std::max(Fit.MergesLow, unsigned(By.Low));
  Fit.MergesHigh =
      std::min(Fit.MergesHigh.value_or(unsigned(By.High)), unsigned(By.High));
}

/// A knee as an interval of what was in flight: as measured, and one point of
/// the curve wider on both sides, for the comparison with other knees.
struct CountedKnee {
  Interval Strict, Wide;
  unsigned Requests; ///< per entry
};

CountedKnee countKnee(const ThreadLatencySeries &S, const SeriesShape &Shape,
                      InFlight Axis, const SmShape &Sm) {
  const auto &P = S.Points;
  const auto ByThreads = [](const auto &A, unsigned B) {
    return A.Threads < B;
  };
  const auto Free =
      std::lower_bound(P.begin(), P.end(), Shape.LastFree, ByThreads);
  const auto Full =
      std::lower_bound(P.begin(), P.end(), Shape.FirstFull, ByThreads);
  const auto Count = [&](auto Point) {
    return countInFlight(S, Point->Threads, Axis, Sm);
  };
  // What does not change at the knee gives an empty interval: it agrees with
  // nothing.
  return {{Count(Free), Count(Full) - 1},
          {Count(Free == P.begin() ? Free : std::prev(Free)),
           Count(std::next(Full) == P.end() ? Full : std::next(Full)) - 1},
          requestsPerEntry(S, Axis, Sm)};
}

/// The values on which the most intervals agree.
Interval mostAgreed(const std::vector<CountedKnee> &Knees) {
  Interval Best;
  unsigned Most = 0;
  for (const auto &At : Knees) {
    Interval Common{0, std::numeric_limits<uint64_t>::max()};
    unsigned Agree = 0;
    for (const auto &Each : Knees)
      if (Each.Strict.holds(At.Strict.Low)) {
        ++Agree;
        Common.Low = std::max(Common.Low, Each.Strict.Low);
        Common.High = std::min(Common.High, Each.Strict.High);
      }
    if (Agree > Most) {
      Most = Agree;
      Best = Common;
    }
  }
  return Best;
}

TableFit fitAxis(std::span<const ThreadLatencySeries> Series,
                 const RequestTable &T, InFlight Axis, const SmShape &Sm) {
  TableFit Fit;
  Fit.Axis = Axis;
  std::vector<CountedKnee> Knees;
  for (size_t I = 0; I != Series.size(); ++I)
    if (tellsEntries(Series, T, I)) {
      ++Fit.Knees;
      const auto Knee = countKnee(Series[I], T.Shapes[I], Axis, Sm);
      if (!Knee.Strict.isEmpty())
        Knees.push_back(Knee);
    }
  const Interval Entries = mostAgreed(Knees);
  Fit.Low = Entries.Low;
  Fit.High = Entries.High;

  std::vector<const CountedKnee *> Early;
  for (const auto &Knee : Knees) {
    if (Knee.Wide.meets(Entries)) {
      ++Fit.Explained;
      Fit.MergesLow = std::max(Fit.MergesLow, Knee.Requests);
      // Where it takes the wider interval to agree, the answer is as wide.
      Fit.Low = std::min(Fit.Low, Knee.Strict.High);
      Fit.High = std::max(Fit.High, Knee.Strict.Low);
    } else if (Knee.Wide.High < Entries.Low) {
      Early.push_back(&Knee);
    }
  }
  if (isMshr(Axis))
    for (const auto *Knee : Early) {
      const auto Merges =
          mergesFromEarlyKnee(Knee->Strict, Entries, Knee->Requests);
      // An entry that takes this many would have explained the others wrong.
      if (!Merges || Merges->High < Fit.MergesLow ||
          Merges->Low > Fit.MergesHigh.value_or(Merges->Low))
        continue;
      ++Fit.Explained;
      boundMerges(Fit, *Merges);
    }

  for (size_t I = 0; I != Series.size(); ++I) {
    const auto &Shape = T.Shapes[I];
    if (Fit.Knees != 0 && Shape.Form != Growth::Saturates &&
        reached(Series[I], Shape, T, Axis, Sm) > Fit.High)
      ++Fit.Violated;
  }
  return Fit;
}

void boundMergesByStalls(std::span<const ThreadLatencySeries> Series,
                         const RequestTable &T, const SmShape &Sm,
                         TableFit &Fit) {
  for (const auto &S : Series) {
    const unsigned Requests = requestsPerEntry(S, Fit.Axis, Sm);
    if (Requests > Fit.MergesLow && isStalledByMerging(Series, S, T))
      Fit.MergesHigh =
          std::min(Fit.MergesHigh.value_or(Requests - 1), Requests - 1);
  }
}

std::string range(uint64_t Low, uint64_t High) {
  return Low == High ? fmt::format("{}", Low)
                     : fmt::format("{} to {}", Low, High);
}

std::string summaryOf(const RequestTable &T) {
  switch (T.Kind) {
  case RequestTableKind::None:
    return fmt::format("no saturation seen up to {} unique lines, {} unique "
                       "sectors or {} warp loads in flight on an SM",
                       T.SeenUpTo[0], T.SeenUpTo[1], T.SeenUpTo[2]);
  case RequestTableKind::Undecided: {
    std::vector<std::string> Each;
    Each.reserve(T.Fits.size());
    for (const TableFit &Fit : T.Fits)
      Each.push_back(fmt::format("{} of {} at {} {}", Fit.Explained, Fit.Knees,
                                 range(Fit.Low, Fit.High), axisName(Fit.Axis)));
    return fmt::format("curves saturate, but no count explains them alone: {}",
                       fmt::join(Each, ", "));
  }
  case RequestTableKind::Mshr:
  case RequestTableKind::Prt:
    break;
  }
  const TableFit Fit = T.Table.value_or(TableFit{});
  std::string Text = fmt::format(
      "{} of {} curves saturate at {} {}: a table like {}", Fit.Explained,
      Fit.Knees, range(Fit.Low, Fit.High), axisName(Fit.Axis),
      T.Kind == RequestTableKind::Mshr ? "MSHRs" : "a PRT");
  for (const TableFit &Other : T.Fits)
    if (Other.Axis != Fit.Axis && Other.score() == Fit.score())
      Text += fmt::format(" (or {} {}, which explain them as well)",
                          range(Other.Low, Other.High), axisName(Other.Axis));
  if (T.Kind == RequestTableKind::Mshr)
    Text += Fit.MergesHigh ? fmt::format(", {} requests per entry",
                                         range(Fit.MergesLow, *Fit.MergesHigh))
                           : fmt::format(", at least {} requests per entry",
                                         Fit.MergesLow);
  return Text;
}

/// How many different experiments saturate.
size_t differentKnees(std::span<const ThreadLatencySeries> Series,
                      const RequestTable &T) {
  std::set<std::array<unsigned, 3>> Seen;
  for (size_t I = 0; I != Series.size(); ++I)
    if (tellsEntries(Series, T, I))
      Seen.insert(
          {Series[I].LoadsPerThread, Series[I].Merge, Series[I].StepBytes});
  return Seen.size();
}

void decide(std::span<const ThreadLatencySeries> Series, const SmShape &Sm,
            RequestTable &T) {
  const size_t Knees = differentKnees(Series, T);
  if (Knees == 0) {
    T.Kind = RequestTableKind::None;
    return;
  }
  T.Kind = RequestTableKind::Undecided;
  const TableFit &Best =
      *std::max_element(T.Fits.begin(), T.Fits.end(),
                        [](auto &A, auto &B) { return A.score() < B.score(); });
  if (Knees < LeastKnees || Best.Explained < LeastKnees ||
      Best.Explained < LeastShare * Best.Knees)
    return;
  // Equal merit for the two designs is no decision.
  for (const TableFit &Fit : T.Fits)
    if (Fit.score() == Best.score() && isMshr(Fit.Axis) != isMshr(Best.Axis))
      return;
  T.Table = Best;
  T.Kind = isMshr(Best.Axis) ? RequestTableKind::Mshr : RequestTableKind::Prt;
  if (T.Kind == RequestTableKind::Mshr)
    boundMergesByStalls(Series, T, Sm, *T.Table);
}

} // namespace

std::string_view inference::requestTableName(RequestTableKind Kind) {
  switch (Kind) {
  case RequestTableKind::None:
    return "none";
  case RequestTableKind::Mshr:
    return "MSHR";
  case RequestTableKind::Prt:
    return "PRT";
  case RequestTableKind::Undecided:
    return "undecided";
  }
  return "";
}

RequestTable
inference::inferRequestTable(std::span<const ThreadLatencySeries> Series,
                             const SmShape &Sm) {
  RequestTable T;
  T.RoundTrip = shortestLatency(Series);
  findLoadsPerWarp(Series, T);
  for (const auto &S : Series)
    T.Shapes.push_back(shapeOf(S, T.RoundTrip));
  for (size_t I = 0; I != std::size(AllAxes); ++I) {
    T.Fits.push_back(fitAxis(Series, T, AllAxes[I], Sm));
    for (size_t K = 0; K != Series.size(); ++K)
      T.SeenUpTo[I] = std::max(
          T.SeenUpTo[I], reached(Series[K], T.Shapes[K], T, AllAxes[I], Sm));
  }
  decide(Series, Sm, T);
  T.Summary = summaryOf(T);
  return T;
}
