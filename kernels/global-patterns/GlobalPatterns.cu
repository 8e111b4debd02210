//===- GlobalPatterns.cu - Mei's six patterns of global accesses ----------===//
//
// One non-uniform chase over a large allocation, built so that its accesses hit
// and miss in L2 and in the levels of the TLB in every combination that the
// device knows.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/inference/AccessPatterns.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwise::harness {
namespace {

using Points = std::vector<std::array<double, 2>>;

constexpr uint64_t PageBytes = 2 << 20;
/// What one entry of the directory above the 2 MB pages covers; on Kepler, the
/// part of memory whose pages are active at a time.
constexpr uint64_t DirectoryBytes = 512ull << 20;
constexpr uint64_t LineBytes = 128;
constexpr uint64_t None = ~0ull;

/// One timed access.
struct Visit {
  uint64_t Offset; ///< bytes
  uint64_t Before; ///< loaded before it without being timed, or None
  /// Pages of the filler that are touched before all else: they push older
  /// ones out of the TLBs.
  uint32_t Filler;
};

/// The pages that are touched between two visits of one page.
struct FillerRange {
  uint32_t First, Count; ///< pages
};

/// One warp. All lanes load the same word of a visit, which is one request;
/// filler pages are touched 32 at a time. Filler lines lie in the first half of
/// their pages.
template <Path Through>
__global__ void walk(const char *Memory, const Visit *Visits, unsigned Count,
                     FillerRange Range, uint32_t *Log, uint32_t *Sink) {
  const auto Touch = [&](uint64_t Offset) {
    return load<Through>(reinterpret_cast<const uint32_t *>(Memory + Offset));
  };
  uint32_t Next = 0, Sum = 0;
#pragma unroll 1
  for (unsigned I = 0; I < Count; ++I) {
    const Visit V = Visits[I];
    for (uint32_t J = threadIdx.x; J < V.Filler; J += 32) {
      const uint32_t Page = Range.First + (Next + J) % Range.Count;
      Sum += Touch(Page * PageBytes + Page * 37 % 8192 * LineBytes);
    }
    if (V.Filler != 0)
      Next = (Next + V.Filler) % Range.Count;
    if (V.Before != None)
      Sum += Touch(V.Before);
    // All of it has to be there before the clock starts. Memory may hold
    // anything: an even number is never the one that consume would trap on.
    consume(Sum << 1);
    __syncwarp();
    const uint32_t Begin = clockNow();
    const uint32_t Value = Touch(V.Offset);
    consume(Value << 1);
    const uint32_t Took = clockNow() - Begin;
    Sum += Value;
    if (threadIdx.x == 0)
      Log[I] = Took;
  }
  Sink[threadIdx.x] = Sum;
}

/// 0 to 5 for Mei et al.'s patterns 1 to 6.
constexpr unsigned Patterns = inference::AccessPatternCount;
constexpr const char *Meaning[Patterns] = {
    "L2 hit, TLBs hit",
    "L2 hit, L1 TLB miss",
    "L2 hit, all TLBs miss",
    "L2 miss, TLBs hit",
    "L2 miss, all TLBs miss",
    "L2 miss, page of a 512 MB region that was not used before"};

/// A visit with what it was made for.
struct Planned {
  Visit What;
  unsigned Pattern;
  unsigned Line; ///< visits of one line share a number
};

class GlobalPatterns {
public:
  explicit GlobalPatterns(Session &S);
  void scanTlb();
  void chase();

private:
  static constexpr unsigned Targets = 48;
  static constexpr uint64_t RegionPages = DirectoryBytes / PageBytes;
  /// Where the \p I-th line of target page \p Page lies, in its second half.
  static uint64_t target(uint64_t Page, unsigned I) {
    return Page * PageBytes + PageBytes / 2 +
           ((Page * 29 + I * 1031) % 8192) * LineBytes;
  }
  template <Path Through>
  std::vector<double> run(const std::vector<Visit> &Visits);
  std::vector<Planned> plan();
  void record(const std::vector<Planned> &Plan,
              const std::vector<double> &Took);

  Session &S;
  Buffer<char> Memory;
  Buffer<Visit> Visits{1024};
  Buffer<uint32_t> Log{1024}, Sink{32};
  uint64_t Pages = 0;     ///< of Memory
  uint64_t Regions = 0;   ///< of 512 MB at its end, that nobody touched yet
  uint64_t Untouched = 0; ///< their first page
  FillerRange Range = {};
  double Bias = 0; ///< of the bracket
  /// Filler pages after which a page is out of the first TLB and in the last,
  /// and out of all; 0 where no such number shows.
  uint32_t PastFirst = 0, PastAll = 0;
};

GlobalPatterns::GlobalPatterns(Session &S) : S(S) {
  size_t Free = 0, Total = 0;
  check(cudaMemGetInfo(&Free, &Total));
  constexpr uint64_t Least = 2 * DirectoryBytes;
  // Page-sized slack so that the first page begins on a boundary.
  uint64_t Bytes = uint64_t(double(Free) * 0.85) / PageBytes * PageBytes;
  for (;; Bytes = Bytes / 2 / PageBytes * PageBytes) {
    if (Bytes < Least)
      throw Skip("less than 1 GiB of memory can be had in one piece");
    try {
      Memory = Buffer<char>(Bytes);
      break;
    } catch (const CudaFailure &) {
      continue; // someone else took it meanwhile, or it is in pieces
    }
  }
  Pages = Bytes / PageBytes;
  Regions = std::min<uint64_t>(Targets, Pages / 4 / RegionPages);
  Untouched = Pages - Regions * RegionPages;
  Range = {Targets, uint32_t(Untouched - Targets)};
  const std::vector<Visit> Same(64, {target(0, 0), None, 0});
  std::vector<double> Hits = run<Path::L1>(Same);
  Hits.erase(Hits.begin(), Hits.begin() + 32);
  Bias = inference::median(Hits) - S.need(paths::levels_l1_latency);
}

template <Path Through>
std::vector<double> GlobalPatterns::run(const std::vector<Visit> &List) {
  if (Visits.size() < List.size()) {
    Visits = Buffer<Visit>(List.size());
    Log = Buffer<uint32_t>(List.size());
  }
  Visits.upload(List);
  walk<Through><<<1, 32>>>(Memory.get(), Visits.get(), unsigned(List.size()),
                           Range, Log.get(), Sink.get());
  finish();
  const std::vector<uint32_t> Took = Log.download(List.size());
  std::vector<double> Latencies;
  for (uint32_t Each : Took)
    Latencies.push_back(double(Each) - Bias);
  return Latencies;
}

void GlobalPatterns::scanTlb() {
  constexpr unsigned Lines = 12;
  std::vector<double> Base(Lines), Extras;
  Points Curve;
  std::vector<uint32_t> Rungs = {0};
  for (uint32_t E = 1; E <= Range.Count; E *= 2)
    Rungs.push_back(E);
  for (uint32_t Filler : Rungs) {
    // Each page is visited once to be known, then again after the filler.
    std::vector<Visit> List;
    for (unsigned I = 0; I != Lines; ++I) {
      List.push_back({target(I, 0), None, 0});
      List.push_back({target(I, 0), Filler == 0 ? target(I, 1) : None, Filler});
    }
    const std::vector<double> Took = run<Path::L2>(List);
    std::vector<double> More;
    for (unsigned I = 0; I != Lines; ++I) {
      if (Filler == 0)
        Base[I] = Took[2 * I + 1];
      More.push_back(Took[2 * I + 1] - Base[I]);
    }
    Extras.push_back(inference::median(More));
    if (Filler != 0)
      Curve.push_back({double(Filler), Extras.back()});
  }
  S.curve(paths::levels_patterns_revisit_by_pages, "other pages in between",
          "additional latency [clk]", std::move(Curve),
          "second visit of a line in L2 after one load from each of so many "
          "other 2 MB pages, median of 12 lines");
  // How many pages overflow the levels is what the tlb benchmark found out.
  const auto Past = [&](profile::EntryPath Path, double Times) -> uint32_t {
    const double Needed = S.value(Path).value_or(0) * Times / PageBytes;
    return Needed <= Range.Count ? uint32_t(Needed) : 0;
  };
  PastFirst = Past(paths::levels_tlb_l1_full, 1.5);
  PastAll = Past(paths::levels_tlb_l2_reach, 1.3);
}

std::vector<Planned> GlobalPatterns::plan() {
  std::vector<Planned> All;
  unsigned Line = 0;
  const auto Add = [&](unsigned Pattern, uint64_t Offset, uint64_t Before,
                       uint32_t Filler) {
    // Each visit of a line reads another word of the same sector.
    const uint64_t Word =
        4 * std::count_if(All.begin(), All.end(),
                          [&](const Planned &P) { return P.Line == Line; });
    All.push_back({{Offset + Word, Before, Filler}, Pattern, Line});
  };
  for (uint64_t Page = 0; Page != Targets; ++Page) {
    const uint64_t First = target(Page, 2);
    Add(3, First, target(Page, 3), 0);
    Add(0, First, None, 0);
    if (PastFirst != 0)
      Add(1, First, None, PastFirst);
    if (PastAll != 0)
      Add(2, First, None, PastAll);
    ++Line;
    if (PastAll != 0) {
      Add(4, target(Page, 4), None, PastAll);
      Add(0, target(Page, 4), None, 0);
      ++Line;
    }
    if (Page >= Regions)
      continue;
    // A region that nobody used yet, and where no number of pages overflows
    // the TLBs, another page of it far from the first.
    const uint64_t New = Untouched + Page * RegionPages;
    Add(5, target(New, 0), None, 0);
    Add(0, target(New, 0), None, 0);
    ++Line;
    if (PastAll == 0) {
      const uint64_t Far = target(New + RegionPages / 2, 0);
      Add(4, Far, None, 0);
      Add(0, Far, None, 0);
      ++Line;
    }
  }
  return All;
}

void GlobalPatterns::chase() {
  const std::vector<Planned> Plan = plan();
  std::vector<Visit> List;
  for (const Planned &P : Plan)
    List.push_back(P.What);
  flushL2(S.device());
  record(Plan, run<Path::L2>(List));
}

void GlobalPatterns::record(const std::vector<Planned> &Plan,
                            const std::vector<double> &Took) {
  std::vector<inference::TimedAccess> All;
  Points Trace;
  Column Kind{"pattern", {}}, Latency{"latency [clk]", {}};
  for (size_t I = 0; I != Plan.size(); ++I) {
    All.push_back({Plan[I].Pattern, Plan[I].Line, Took[I]});
    Trace.push_back({double(I), Took[I]});
    Kind.Values.push_back(Plan[I].Pattern + 1);
    Latency.Values.push_back(Took[I]);
  }
  S.curve(paths::levels_patterns_trace, "access", "latency [clk]",
          std::move(Trace),
          "one non-uniform chase that realises every pattern in turn");
  S.trace("chase", {Kind, Latency});

  const auto Told = inference::tellPatterns(All);
  for (unsigned P = 0; P != Patterns; ++P) {
    const inference::PatternTimes &Of = Told[P];
    const std::string Path = fmt::format("levels.patterns.p{}", P + 1);
    if (!Of.Cycles) {
      S.notMeasurable(
          Path, "clk",
          fmt::format("{}: could not be made; {} pages of 2 MB overflow {} of "
                      "the TLB, and there are {} regions of 512 MB",
                      Meaning[P], Range.Count,
                      PastAll != 0     ? "two levels"
                      : PastFirst != 0 ? "one level"
                                       : "no level",
                      Regions));
      continue;
    }
    if (Of.Like) {
      S.notMeasurable(
          Path, "clk",
          fmt::format("{}: takes as long as pattern {}, {:.0f} clk "
                      "more or less",
                      Meaning[P], *Of.Like + 1,
                      std::abs(Of.Extra.Value - Told[*Of.Like].Extra.Value)));
      continue;
    }
    S.measured(Path, "clk", *Of.Cycles,
               fmt::format("{}: median of its accesses in one non-uniform "
                           "chase, less the bracket's {:.1f} clk",
                           Meaning[P], Bias));
    S.exact(fmt::format("levels.patterns.p{}_share", P + 1), "1", Of.AsBuilt,
            "share of the accesses whose latency over the same line's hit is "
            "nearest to that of the pattern they were made for",
            Of.Accesses);
  }
  if (std::optional<double> L2 = S.value(paths::levels_l2_latency))
    S.check(paths::levels_patterns_p1, "pointer chase through L2", *L2, 0.05);
  if (std::optional<double> Dram = S.value(paths::levels_dram_latency))
    S.check(paths::levels_patterns_p4, "pointer chase after a flush", *Dram,
            0.05);
}

void run(Session &S) {
  GlobalPatterns Measure(S);
  Measure.scanTlb();
  Measure.chase();
}

const Registration Registered({
    .Name = "global-patterns",
    .Measures = "latency of global accesses by what hits: L2, TLBs",
    .When = Stage::Geometry,
    .Provides = {{paths::levels_patterns_p1, "clk"},
                 {paths::levels_patterns_p2, "clk"},
                 {paths::levels_patterns_p3, "clk"},
                 {paths::levels_patterns_p4, "clk"},
                 {paths::levels_patterns_p5, "clk"},
                 {paths::levels_patterns_p6, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
