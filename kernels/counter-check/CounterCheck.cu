//===- CounterCheck.cu - Our misses against the hardware's counters -------===//
//
// The profile takes a load for a miss of L1 when it was slow. Here the hardware
// counts the same lists of loads, where a program may read its counters.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/CudaProbe.h"
#include "profiler/collect/Counters.h"
#include "profiler/inference/CacheGeometry.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::harness {
namespace {

using collect::Counters;
using collect::Expected;

constexpr unsigned Loads = 12000;

/// A list of loads, under its name in the profile.
struct Traversal {
  std::string Name;
  std::string What;
  std::vector<uint64_t> Offsets;
};

/// Line after line of the first \p Bytes, again and again.
std::vector<uint64_t> inOrder(uint64_t Bytes, uint64_t Line) {
  std::vector<uint64_t> Offsets(Loads);
  for (unsigned I = 0; I != Loads; ++I)
    Offsets[I] = I * Line % Bytes;
  return Offsets;
}

std::vector<uint64_t> randomWords(std::mt19937_64 &Random, uint64_t Bytes) {
  std::vector<uint64_t> Offsets(Loads);
  for (uint64_t &At : Offsets)
    At = Random() % (Bytes / 4) * 4;
  return Offsets;
}

std::vector<Traversal> traversals(Session &S, uint64_t Capacity,
                                  uint64_t Line) {
  const uint64_t Half = Capacity / 2 / Line * Line;
  const uint64_t Larger = Capacity * 13 / 10 / Line * Line;
  return {{"fits", "lines in order, half of L1", inOrder(Half, Line)},
          {"at_capacity", "lines in order, as many as L1 holds",
           inOrder(Capacity, Line)},
          {"too_large", "lines in order, 1.3 times L1", inOrder(Larger, Line)},
          {"random_words", "random words of 1.3 times L1",
           randomWords(S.random(), Larger)}};
}

std::string pathOf(const Traversal &T, std::string_view Quantity) {
  return fmt::format("validation.counters.{}.{}", T.Name, Quantity);
}

/// What the hardware counts, in the order of what count() returns.
enum Counted { L1Loads, L1Hits, L2Reads, L2Hits, DramReads };

Expected<Counters> openCounters() {
  namespace metric = collect::metric;
  return Counters::open({metric::L1Loads, metric::L1LoadHits, metric::L2Reads,
                         metric::L2ReadHits, metric::DramReads});
}

/// The counts of \p T, which have to be those of its loads and no others.
std::vector<double> count(Counters &Hardware, CudaProbe &Probe,
                          const Traversal &T) {
  Expected<std::vector<double>> Counts =
      Hardware.count([&] { Probe.time(T.Offsets); });
  if (!Counts)
    throw Skip("no hardware counters: " + Counts.reason());
  if ((*Counts)[L1Loads] != Loads)
    throw Skip(fmt::format("the hardware counted {} sectors looked up in L1 "
                           "where {} loads were made",
                           (*Counts)[L1Loads], Loads));
  return *Counts;
}

void run(Session &S) {
  const auto Capacity = uint64_t(S.need(paths::levels_l1_capacity));
  const auto Line = uint64_t(S.need(paths::levels_l1_line));
  CudaProbe Probe(S.device(), {.Bytes = 2 * Capacity});
  const auto Rule = inference::hitRule(Probe, 8192, Line);
  if (!Rule)
    throw Skip("hits and misses of L1 cannot be told apart");

  // All times before the counters are opened, so that what is checked is what
  // the profiler sees without them.
  const std::vector<Traversal> All = traversals(S, Capacity, Line);
  std::vector<double> Hits;
  for (const Traversal &T : All) {
    const std::vector<float> Times = Probe.time(T.Offsets);
    Hits.push_back(
        double(std::count_if(Times.begin(), Times.end(), [&](float Took) {
          return Took < Rule->Threshold;
        })));
    S.exact(pathOf(T, "l1_hit_rate_timed"), "1", Hits.back() / Loads,
            fmt::format("share of {} loads that were fast: {}", Loads, T.What));
  }

  Expected<Counters> Hardware = openCounters();
  if (!Hardware)
    throw Skip("no hardware counters: " + Hardware.reason());
  for (size_t I = 0; I != All.size(); ++I) {
    const Traversal &T = All[I];
    const std::vector<double> Counts = count(*Hardware, Probe, T);
    const double Timed = Hits[I] / Loads;
    const double Rate = Counts[L1Hits] / Counts[L1Loads];
    S.exact(pathOf(T, "l1_hit_rate_counted"), "1", Rate,
            "sectors that hit in L1 over sectors looked up, by CUPTI");
    S.inferred(pathOf(T, "difference"), "1", Rate - Timed,
               "hit rate by counters minus that by timing");
    S.check(pathOf(T, "l1_hit_rate_timed"), "hardware counters, by CUPTI", Rate,
            0.01);
    S.exact(pathOf(T, "l2_reads_per_miss"), "1",
            Counts[L2Reads] / (Loads - Hits[I]),
            "sectors that L1 read from L2, by CUPTI, over misses by timing");
    S.trace(T.Name, {{"sectors looked up in L1", {Counts[L1Loads]}},
                     {"sectors that hit in L1", {Counts[L1Hits]}},
                     {"sectors read from L2", {Counts[L2Reads]}},
                     {"sectors that hit in L2", {Counts[L2Hits]}},
                     {"sectors read from DRAM", {Counts[DramReads]}}});
  }
}

const Registration Registered({
    .Name = "counter-check",
    .Measures = "misses found by timing against the hardware's counters",
    .When = Stage::Validation,
    .Provides =
        {{paths::validation_counters_fits_l1_hit_rate_timed, "1"},
         {paths::validation_counters_fits_l1_hit_rate_counted, "1"},
         {paths::validation_counters_fits_difference, "1"},
         {paths::validation_counters_fits_l2_reads_per_miss, "1"},
         {paths::validation_counters_at_capacity_l1_hit_rate_timed, "1"},
         {paths::validation_counters_at_capacity_l1_hit_rate_counted, "1"},
         {paths::validation_counters_at_capacity_difference, "1"},
         {paths::validation_counters_at_capacity_l2_reads_per_miss, "1"},
         {paths::validation_counters_too_large_l1_hit_rate_timed, "1"},
         {paths::validation_counters_too_large_l1_hit_rate_counted, "1"},
         {paths::validation_counters_too_large_difference, "1"},
         {paths::validation_counters_too_large_l2_reads_per_miss, "1"},
         {paths::validation_counters_random_words_l1_hit_rate_timed, "1"},
         {paths::validation_counters_random_words_l1_hit_rate_counted, "1"},
         {paths::validation_counters_random_words_difference, "1"},
         {paths::validation_counters_random_words_l2_reads_per_miss, "1"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
