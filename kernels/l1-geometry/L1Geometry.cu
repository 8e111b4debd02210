//===- L1Geometry.cu - Capacity, lines, sets and policy of L1 -------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/CudaProbe.h"
#include "profiler/inference/CacheGeometry.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpwise::harness {
namespace {

using inference::HitRule;

/// Shared-memory sizes that some architecture offers, in KiB (CUDA programming
/// guide, compute capabilities 7.0 to 12.0). What a device does not offer it
/// rounds up, and the capacity then repeats that of the next size.
constexpr unsigned Carveouts[] = {8, 16, 32, 64, 96, 100, 132, 164, 196, 228};

/// Footprint for the question what a hit looks like; fits every L1.
constexpr uint64_t SmallFootprint = 8192;
constexpr uint64_t ArrayBytes = uint64_t(64) << 20;

HitRule ruleFor(inference::AccessProbe &Probe, std::string_view What) {
  std::optional<HitRule> Rule = inference::hitRule(Probe, SmallFootprint, 128);
  if (!Rule)
    throw Skip(fmt::format("hits and misses of {} cannot be told apart: there "
                           "may be no such cache",
                           What));
  return *Rule;
}

struct Sized {
  uint64_t Carveout;
  inference::Capacity Usable;
};

std::vector<Sized> capacityByCarveout(Session &S, uint64_t Line) {
  const Device &D = S.device();
  std::vector<Sized> Found;
  for (unsigned Kib : Carveouts) {
    const uint64_t Carveout = uint64_t(Kib) << 10;
    if (Carveout > D.SharedBytesPerSm ||
        Carveout > D.SharedBytesPerBlock + D.ReservedSharedBytesPerBlock)
      break;
    if (S.quick() && !Found.empty())
      break;
    CudaProbe Probe(D, {.Carveout = Carveout, .Bytes = ArrayBytes});
    const HitRule Rule = ruleFor(Probe, "L1");
    if (std::optional<inference::Capacity> C =
            inference::capacity(Probe, Rule, Line, 2048, uint64_t(320) << 10))
      Found.push_back({Carveout, std::move(*C)});
  }
  if (Found.empty())
    throw Skip("no footprint up to 320 KiB overflows L1");
  return Found;
}

void recordCapacity(Session &S, const std::vector<Sized> &All, uint64_t Line) {
  const Sized &Largest = All.front();
  S.exact(paths::levels_l1_capacity, "B", double(Largest.Usable.Bytes),
          fmt::format("largest footprint that is traversed again without a "
                      "recurring miss, to one line, with {} KiB of shared "
                      "memory, the smallest carve-out",
                      Largest.Carveout >> 10),
          2);
  std::vector<std::array<double, 2>> Points, Misses;
  for (const Sized &One : All)
    Points.push_back({double(One.Carveout), double(One.Usable.Bytes)});
  S.curve(paths::levels_l1_capacity_by_carveout, "shared memory asked for [B]",
          "usable L1 [B]", Points,
          "as levels.l1.capacity; a size that the device does not offer is "
          "rounded up to the next");
  for (const auto &[Bytes, Count] : Largest.Usable.MissCurve)
    Misses.push_back({double(Bytes), Count});
  std::sort(Misses.begin(), Misses.end());
  S.curve(paths::levels_l1_misses_by_footprint, "footprint [B]",
          "misses of a warm traversal [1]", Misses,
          "fine-grained pointer chase in order, every load timed");
  // L1 and shared memory share one array: what neither has is reserved.
  std::set<double> Sums;
  for (const Sized &One : All)
    Sums.insert(double(One.Carveout + One.Usable.Bytes));
  if (All.size() > 1) {
    const double Most = *Sums.rbegin();
    S.inferred(paths::levels_l1_unified, "B", Most,
               fmt::format(
                   "largest sum of carve-out and usable L1 over {} "
                   "carve-outs, of which {} give this sum",
                   All.size(),
                   std::count_if(All.begin(), All.end(), [&](const Sized &One) {
                     return double(One.Carveout + One.Usable.Bytes) == Most;
                   })));
  }
  // The same capacity by another way: the footprint whose random order starts
  // to miss.
  CudaProbe Probe(S.device(),
                  {.Carveout = Largest.Carveout, .Bytes = ArrayBytes});
  const HitRule Rule = ruleFor(Probe, "L1");
  uint64_t Fits = 0;
  for (uint64_t Lines = Largest.Usable.Bytes / Line - 16;
       Lines <= Largest.Usable.Bytes / Line + 16; Lines += 4)
    if (inference::missesOfPass(Probe, Rule, Lines, Line, 3, &S.random()) == 0)
      Fits = Lines * Line;
  S.check(paths::levels_l1_capacity,
          "largest footprint without a miss in random order, in steps of four "
          "lines",
          double(Fits), 0.01);
}

void recordOrganisation(Session &S, uint64_t Line, uint64_t Carveout,
                        uint64_t Capacity) {
  CudaProbe Probe(S.device(), {.Carveout = Carveout, .Bytes = ArrayBytes});
  const HitRule Rule = ruleFor(Probe, "L1");
  const inference::Organisation O =
      inference::organisation(Probe, Rule, Line, Capacity);
  const std::string Why =
      O.Unknown.empty() ? "no conflict group was found" : O.Unknown;
  if (O.Ways.empty()) {
    S.notMeasurable(paths::levels_l1_ways, "1", Why);
    S.notMeasurable(paths::levels_l1_sets, "1", Why);
  } else {
    std::vector<double> Ways(O.Ways.begin(), O.Ways.end());
    const double Typical = inference::median(Ways);
    const auto Alike = std::count(Ways.begin(), Ways.end(), Typical);
    S.exact(paths::levels_l1_ways, "1", Typical,
            fmt::format("lines of a minimal eviction set that fit together; {} "
                        "of {} sets that were tried agree",
                        Alike, Ways.size()),
            unsigned(Ways.size()));
    if (O.MappingExplained)
      S.exact(paths::levels_l1_sets, "1", double(O.Sets),
              "of the mapping that explains which lines share a set");
    else
      S.inferred(paths::levels_l1_sets, "1",
                 double(Capacity) / double(Line) / Typical,
                 "usable lines by the ways of a set");
  }
  S.word(paths::levels_l1_index,
         !O.MappingExplained  ? "hashed, not explained"
         : O.XorMasks.empty() ? "modulo"
                              : "xor",
         O.MappingExplained ? "fitted to conflict groups, verified on lines "
                              "that were not used for it"
                            : Why);
  // The masks, for whoever simulates this cache: exact below 2^53.
  std::vector<std::array<double, 2>> Masks;
  for (size_t Bit = 0; Bit != O.XorMasks.size(); ++Bit)
    Masks.push_back({double(Bit), double(O.XorMasks[Bit])});
  if (O.MappingExplained && !Masks.empty())
    S.curve(paths::levels_l1_index_masks, "bit of the set's number",
            "mask over the line's number", Masks,
            "the bit is the parity of the line's number and the mask; one of "
            "many equal ways to number the sets");
  if (O.Policy)
    S.word(paths::levels_l1_replacement,
           std::string(inference::replacementName(*O.Policy)),
           fmt::format("predicts {:.1f} % of the accesses to one set; the "
                       "others predict fewer",
                       100 * O.PolicyAgreement));
  else
    S.notMeasurable(paths::levels_l1_replacement, "name", Why);
}

/// Whether lines brought in through \p Other hit through L1: then both are one
/// cache. Evict-and-reprobe does not tell, since a full cache of its own would
/// miss as well; so the second path has the same capacity and the same miss
/// curve, or it is another cache.
void recordAlias(Session &S, ProbedPath Other, const std::string &Name,
                 uint64_t Carveout, uint64_t Capacity, uint64_t Line) {
  const std::string Path = "levels." + Name;
  CudaProbe Probe(S.device(),
                  {.Path = Other, .Carveout = Carveout, .Bytes = ArrayBytes});
  const HitRule Rule = ruleFor(Probe, Name);
  const std::optional<inference::Capacity> Own =
      inference::capacity(Probe, Rule, Line, 2048, uint64_t(320) << 10);
  if (!Own) {
    S.notMeasurable(Path + ".capacity", "B",
                    "no footprint up to 320 KiB overflows it");
    return;
  }
  if (Own->Bytes == Capacity) {
    S.alias(Path + ".capacity", paths::levels_l1_capacity);
    S.check(Path + ".capacity", "the same bisection through this path",
            double(Own->Bytes), 0);
    S.alias(Path + ".line", paths::levels_l1_line);
    return;
  }
  S.exact(Path + ".capacity", "B", double(Own->Bytes),
          "largest footprint without a recurring miss", 2);
  if (std::optional<inference::Granularity> G =
          inference::granularity(Probe, Rule, Own->Bytes))
    S.exact(Path + ".line", "B", double(G->LineBytes),
            "lines that fit when one word of each is used");
}

void run(Session &S) {
  CudaProbe Probe(S.device(), {.Bytes = ArrayBytes});
  const HitRule Rule = ruleFor(Probe, "L1");
  S.Progress("line and sector");
  const std::optional<inference::Granularity> G =
      inference::granularity(Probe, Rule, uint64_t(64) << 10);
  if (!G)
    throw Skip("the line of L1 cannot be told");
  S.exact(paths::levels_l1_line, "B", double(G->LineBytes),
          "lines that fit when one word of each is used");
  S.exact(paths::levels_sector, "B", double(G->SectorBytes),
          "words that hit after one word of a cold line was loaded");
  S.Progress("capacity by carve-out");
  const std::vector<Sized> All = capacityByCarveout(S, G->LineBytes);
  recordCapacity(S, All, G->LineBytes);
  const uint64_t Capacity = All.front().Usable.Bytes;
  const uint64_t Carveout = All.front().Carveout;
  S.Progress("read-only and texture path");
  recordAlias(S, ProbedPath::ReadOnly, "readonly", Carveout, Capacity,
              G->LineBytes);
  recordAlias(S, ProbedPath::Texture, "texture", Carveout, Capacity,
              G->LineBytes);
  if (S.quick())
    return;
  S.Progress("sets and replacement");
  recordOrganisation(S, G->LineBytes, Carveout, Capacity);
}

const Registration Registered({
    .Name = "l1-geometry",
    .Measures = "capacity, line, sector, sets and replacement of L1",
    .When = Stage::Geometry,
    .Quick = true,
    .Provides = {{paths::levels_l1_capacity, "B"},
                 {paths::levels_l1_line, "B"},
                 {paths::levels_sector, "B"},
                 {paths::levels_l1_ways, "1"},
                 {paths::levels_l1_sets, "1"},
                 {paths::levels_l1_index, "name"},
                 {paths::levels_l1_replacement, "name"},
                 {paths::levels_readonly_capacity, "B"},
                 {paths::levels_texture_capacity, "B"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness
