//===- MissProbes.cu - Misses in L1 of random lists of loads --------------===//

#include "kernels/harness/CudaProbe.h"
#include "kernels/validation/Validation.h"
#include "profiler/inference/CacheGeometry.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace warpwise::harness {
namespace {

constexpr unsigned Probes = 16;
constexpr unsigned Loads = 12000;

/// Loads of random words: each sector misses once as long as the lines fit.
std::vector<uint64_t> randomWords(Session &S, uint64_t Bytes) {
  std::vector<uint64_t> Offsets(Loads);
  for (uint64_t &At : Offsets)
    At = S.random()() % (Bytes / 4) * 4;
  return Offsets;
}

/// A stride through the footprint, again and again.
std::vector<uint64_t> strides(uint64_t Bytes, uint64_t Stride) {
  std::vector<uint64_t> Offsets(Loads);
  for (unsigned I = 0; I != Loads; ++I)
    Offsets[I] = I * Stride % Bytes;
  return Offsets;
}

uint64_t distinctSectors(const std::vector<uint64_t> &Offsets,
                         uint64_t Sector) {
  std::unordered_set<uint64_t> Seen;
  for (uint64_t At : Offsets)
    Seen.insert(At / Sector);
  return Seen.size();
}

} // namespace

void validateMisses(Session &S) {
  const auto Capacity = uint64_t(S.need(paths::levels_l1_capacity));
  const auto Sector = uint64_t(S.need(paths::levels_sector));
  const auto Line = uint64_t(S.need(paths::levels_l1_line));
  CudaProbe Probe(S.device(), {.Bytes = 4 * Capacity});
  const auto Rule = inference::hitRule(Probe, 8192, Line);
  if (!Rule)
    throw Skip("hits and misses of L1 cannot be told apart");
  std::vector<ValidationProbe> Results;
  for (unsigned I = 0; I != Probes; ++I) {
    // Half of the lists fit, one in four is far too large, one in four strides.
    const bool Fits = I % 4 != 3;
    const uint64_t Bytes =
        Fits ? (4096 + S.random()() % (Capacity - 4096)) / Line * Line
             : (Capacity * 3 / 2 + S.random()() % (2 * Capacity)) / Line * Line;
    const uint64_t Stride = Fits ? 4 * (1 + S.random()() % 64) : Line;
    const bool Random = I % 2 == 0;
    const std::vector<uint64_t> Offsets =
        Random && Fits ? randomWords(S, Bytes) : strides(Bytes, Stride);
    const std::vector<float> Times = Probe.time(Offsets);
    const auto Misses =
        double(std::count_if(Times.begin(), Times.end(),
                             [&](float T) { return T >= Rule->Threshold; }));
    // What does not fit is gone when the traversal comes back to it.
    const double Predicted =
        Fits ? double(distinctSectors(Offsets, Sector)) : double(Loads);
    Results.push_back(
        {fmt::format("misses of {} loads, {} over {} bytes", Loads,
                     Random && Fits ? std::string("random words")
                                    : fmt::format("stride {}", Stride),
                     Bytes),
         Predicted, Misses});
  }
  recordProbes(S, "misses", "1", Results);
}

} // namespace warpwise::harness
