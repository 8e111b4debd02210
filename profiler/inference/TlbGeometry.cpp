//===- TlbGeometry.cpp - What address translation looks like --------------===//

#include "profiler/inference/TlbGeometry.h"

#include "profiler/inference/SharedTag.h"
#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

constexpr uint64_t LineBytes = 128;
/// Timings behind a reference; the first also fills the cache.
constexpr unsigned ReferenceCalls = 3;
/// Points of the curve for each doubling of the pages.
constexpr unsigned PointsPerOctave = 4;
constexpr uint64_t FewestPages = 4;
/// Loads of a point's walk, but for the largest footprints.
constexpr uint64_t WalkLoads = 4000;
/// A penalty of this many widths of the noise is told for a single load.
constexpr double Distinct = 3;
/// With more pages walks are too few to tell a miss from an outlier.
constexpr uint64_t MostExactPages = FitTest::LongestList / 4;
/// Sets are counted page by page up to this many.
constexpr uint64_t MostSetPages = 2048;

std::vector<uint64_t> pages(uint64_t Count, uint64_t Stride) {
  std::vector<uint64_t> Offsets(Count);
  for (uint64_t I = 0; I != Count; ++I)
    Offsets[I] = I * Stride;
  return Offsets;
}

/// What hits look like: their median, and how far nearly all are from it.
struct Noise {
  double Center = 0, Width = 0;
  double Outliers = 0; ///< share
};

Noise noiseOf(ExcessProbe &Probe, uint64_t Stride) {
  std::vector<uint64_t> List;
  const std::vector<uint64_t> Few = pages(FewestPages, Stride);
  while (List.size() < WalkLoads)
    List.insert(List.end(), Few.begin(), Few.end());
  const std::vector<float> Took = Probe.time(List);
  const std::vector<double> Values(Took.begin() + FewestPages, Took.end());
  Noise N;
  N.Center = median(Values);
  N.Width = quantile(Values, 0.95) - quantile(Values, 0.05);
  const double Bound = N.Center + 2 * N.Width + 4;
  N.Outliers = double(std::count_if(Values.begin(), Values.end(),
                                    [&](double V) { return V > Bound; })) /
               double(Values.size());
  return N;
}

/// Mean excess of a warm chase, without as many of the slowest loads as there
/// are outliers.
double meanExcess(ExcessProbe &Probe, uint64_t Count, uint64_t Stride,
                  const Noise &N) {
  std::vector<uint64_t> Once = pages(Count, Stride);
  // In random order: an entry may hold several pages in a row, and a walk in
  // order would find all but the first of them there.
  std::mt19937_64 Random(Count);
  std::shuffle(Once.begin(), Once.end(), Random);
  std::vector<uint64_t> List;
  const uint64_t Passes = std::clamp<uint64_t>(WalkLoads / Count, 3, 100);
  for (uint64_t Pass = 0; Pass != Passes; ++Pass)
    List.insert(List.end(), Once.begin(), Once.end());
  const std::vector<float> Took = Probe.time(List);
  std::vector<double> Values(Took.begin() + ptrdiff_t(Count), Took.end());
  std::sort(Values.begin(), Values.end());
  Values.resize(Values.size() -
                size_t(1.2 * N.Outliers * double(Values.size())));
  return mean(Values);
}

/// The nearest curve that never falls, in least squares.
std::vector<double> isotonic(std::span<const double> Y) {
  std::vector<std::pair<double, size_t>> Blocks; ///< mean and points
  for (double V : Y) {
    Blocks.emplace_back(V, 1);
    while (Blocks.size() > 1 &&
           Blocks[Blocks.size() - 2].first > Blocks.back().first) {
      const auto [Mean, Points] = Blocks.back();
      Blocks.pop_back();
      auto &Last = Blocks.back();
      Last.first = (Last.first * double(Last.second) + Mean * double(Points)) /
                   double(Last.second + Points);
      Last.second += Points;
    }
  }
  std::vector<double> Rising;
  for (const auto &[Mean, Points] : Blocks)
    Rising.insert(Rising.end(), Points, Mean);
  return Rising;
}

/// A rise of the curve between two flat parts, by its points.
struct Rise {
  size_t Begin = 0, End = 0; ///< a tenth and nine tenths of it
  double Low = 0, High = 0;
  bool Ends = false;
};

std::vector<Rise> rises(std::span<const double> Curve, double Least) {
  std::vector<Rise> Found;
  for (size_t From = 0; From < Curve.size();) {
    Rise R;
    R.Low = Curve[From];
    const auto Above = [&](double Value) {
      return size_t(std::find_if(Curve.begin() + ptrdiff_t(From), Curve.end(),
                                 [&](double V) { return V > Value; }) -
                    Curve.begin());
    };
    size_t Flat = Above(R.Low + Least);
    if (Flat == Curve.size())
      break;
    // Flat again when twice the pages add little.
    const auto StillRises = [&](size_t I) {
      const double Later = Curve[I + PointsPerOctave];
      return Later - Curve[I] > std::max(Least / 2, 0.1 * (Later - R.Low));
    };
    while (Flat + PointsPerOctave < Curve.size() && StillRises(Flat))
      ++Flat;
    R.Ends = Flat + PointsPerOctave < Curve.size();
    R.High = R.Ends ? Curve[Flat + PointsPerOctave / 2] : Curve.back();
    R.Begin = Above(R.Low + 0.1 * (R.High - R.Low)) - 1;
    R.End = std::min(Above(R.Low + 0.9 * (R.High - R.Low)), Curve.size() - 1);
    // The first point may be above already; then its level is unseen.
    if (R.Begin + 1 != 0)
      Found.push_back(R);
    From = R.Ends ? Flat : Curve.size();
  }
  return Found;
}

HitRule ruleOf(const Rise &R, double Width) {
  HitRule Rule;
  Rule.Hit = R.Low;
  Rule.Miss = R.High;
  Rule.Threshold = (R.Low + R.High) / 2;
  Rule.Ceiling = R.High + Width + (R.High - R.Low) / 4;
  return Rule;
}

/// With LRU the first page too many makes its whole set miss, and each further
/// one that comes to a full set does so; one that comes to a set that misses
/// adds itself. Sizes that do not add up to the entries tell nothing.
std::vector<unsigned> setSizes(FitTest &Test, uint64_t Entries,
                               uint64_t Stride) {
  std::vector<unsigned> Sizes;
  uint64_t Before = 0, Sum = 0;
  const uint64_t Most =
      std::min({2 * Entries, MostSetPages, Test.probe().size() / Stride});
  for (uint64_t Count = Entries + 1; Count <= Most && Sum < Entries; ++Count) {
    const FitTest::Walk W = Test.walk(pages(Count, Stride));
    const auto Missing =
        uint64_t(std::count_if(W.Misses.begin(), W.Misses.end(),
                               [&](unsigned M) { return 2 * M > W.Passes; }));
    if (Missing < Before)
      return {};
    if (const uint64_t More = Missing - Before; More > 1) {
      Sizes.push_back(unsigned(More - 1));
      Sum += More - 1;
    }
    Before = Missing;
  }
  if (Sum != Entries)
    return {};
  std::sort(Sizes.begin(), Sizes.end(), std::greater<>());
  return Sizes;
}

/// The smallest distance at which a second block needs an entry of its own, up
/// to the stride.
std::optional<uint64_t> pageBytes(FitTest &Test, uint64_t Entries,
                                  uint64_t Stride) {
  std::mt19937_64 Random(1);
  for (uint64_t Distance = Stride / 2; Distance >= ExcessProbe::BlockBytes;
       Distance /= 2) {
    const auto Shared = shareTag(Test, Distance, 2 * Entries + 16, Random);
    if (!Shared)
      return std::nullopt;
    if (*Shared)
      return 2 * Distance;
  }
  return std::nullopt;
}

} // namespace

std::vector<float> ExcessProbe::time(std::span<const uint64_t> Offsets) {
  std::vector<uint64_t> Lines, Unknown;
  Lines.reserve(Offsets.size());
  for (uint64_t Offset : Offsets) {
    // Even lines; the odd one beside it is its partner.
    const uint64_t Block = Offset / BlockBytes;
    const uint64_t Place =
        (Block * 0x9E3779B97F4A7C15 >> 40) % (BlockBytes / (2 * LineBytes));
    Lines.push_back(Block * BlockBytes + Place * 2 * LineBytes);
    if (References.try_emplace(Lines.back(), 0).second)
      Unknown.push_back(Lines.back());
  }
  constexpr size_t Part = FitTest::LongestList / 2;
  for (size_t From = 0; From < Unknown.size(); From += Part)
    addReferences(std::span(Unknown).subspan(
        From, std::min(Part, Unknown.size() - From)));
  std::vector<float> Took = Probe.time(Lines);
  for (size_t I = 0; I != Took.size(); ++I)
    Took[I] -= References[Lines[I]];
  return Took;
}

void ExcessProbe::addReferences(std::span<const uint64_t> Lines) {
  std::vector<uint64_t> List;
  for (uint64_t Line : Lines)
    List.insert(List.end(), {Line + LineBytes, Line});
  for (unsigned Call = 0; Call != ReferenceCalls; ++Call) {
    const std::vector<float> Took = Probe.time(List);
    for (size_t I = 0; I != Lines.size(); ++I) {
      float &Reference = References[Lines[I]];
      const float Now = Took[2 * I + 1];
      Reference = Call ? std::min(Reference, Now) : Now;
    }
  }
}

TlbGeometry inference::tlbGeometry(AccessProbe &Direct,
                                   const TlbSearch &Search) {
  ExcessProbe Probe(Direct);
  TlbGeometry Found;
  const uint64_t Stride = Search.Stride;
  uint64_t Most = Direct.size() / Stride;
  if (Search.MostPages)
    Most = std::min(Most, Search.MostPages);
  if (Most < 2 * FewestPages)
    return Found;
  const Noise N = noiseOf(Probe, Stride);
  std::vector<uint64_t> Counts;
  std::vector<double> Excess;
  for (unsigned Point = 0;; ++Point) {
    const auto Count = uint64_t(
        std::lround(double(FewestPages) *
                    std::exp2(double(Point) / double(PointsPerOctave))));
    if (!Counts.empty() && Counts.back() >= Most)
      break;
    if (Counts.empty() || Count > Counts.back()) {
      Counts.push_back(std::min(Count, Most));
      Excess.push_back(meanExcess(Probe, Counts.back(), Stride, N));
      Found.Curve.emplace_back(Counts.back() * Stride, Excess.back());
    }
  }
  const std::vector<double> Smooth = isotonic(Excess);
  const std::vector<Rise> Rises = rises(Smooth, Search.LeastPenalty);
  // What the flat part after a rise lies above the one before it; their medians
  // are steadier than their ends.
  const auto FlatBetween = [&](size_t From, size_t To) {
    return median(
        std::span(Smooth).subspan(From, std::max(To, From + 1) - From));
  };
  for (size_t I = 0; I != Rises.size(); ++I) {
    const Rise &R = Rises[I];
    const size_t Next =
        I + 1 < Rises.size() ? Rises[I + 1].Begin + 1 : Smooth.size();
    const double Before = FlatBetween(I ? Rises[I - 1].End : 0, R.Begin + 1);
    TlbLevel Level;
    Level.Entries = Counts[R.Begin];
    Level.RiseBegins = Counts[R.Begin] * Stride;
    Level.RiseEnds = Counts[R.End] * Stride;
    Level.Ends = R.Ends;
    Level.Penalty = FlatBetween(R.End, Next) - Before;
    if (Level.Penalty >= Distinct * N.Width &&
        Counts[R.End] <= MostExactPages) {
      FitTest Test(Probe, ruleOf(R, N.Width));
      const auto Exact =
          capacity(Probe, ruleOf(R, N.Width), Stride,
                   Counts[R.Begin] * Stride / 2, Counts[R.End] * Stride);
      if (Exact) {
        Level.Entries = Exact->Bytes / Stride;
        Level.Exact = true;
        Level.SetSizes = setSizes(Test, Level.Entries, Stride);
        if (!Found.PageBytes)
          Found.PageBytes = pageBytes(Test, Level.Entries, Stride);
      }
    }
    Level.ReachBytes = Level.Entries * Found.PageBytes.value_or(Stride);
    Found.Levels.push_back(std::move(Level));
  }
  return Found;
}
