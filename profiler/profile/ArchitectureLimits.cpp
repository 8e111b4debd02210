//===- ArchitectureLimits.cpp - What a compute capability fixes -----------===//
//
// CUDA C++ Programming Guide: "Features and Technical Specifications" per
// compute capability, "Shared Memory" of each architecture's section for the
// steps, and "Throughput of Native Arithmetic Instructions" for the cores. For
// compute capabilities before 7.5 the guides of CUDA 10 to 12. Texture units:
// the white papers of the architectures.
//
//===----------------------------------------------------------------------===//

#include "profiler/profile/ArchitectureLimits.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

constexpr uint16_t Steps35[] = {16, 32, 48}, Steps37[] = {80, 96, 112},
                   Steps70[] = {8, 16, 32, 64, 96}, Steps75[] = {32, 64},
                   Steps80[] = {8, 16, 32, 64, 100, 132, 164},
                   Steps86[] = {8, 16, 32, 64, 100},
                   Steps90[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};

constexpr unsigned K = 1024;
constexpr bool Uses = true, Passes = false; // L1, by global loads

// clang-format off: a table, one architecture a line
constexpr ArchitectureLimits Table[] = {
    {30, {192, 8, 160, 32, 4, 16}, 2048, 16, 64 * K, 64 * K, 48 * K, 48 * K, 0, Passes, Steps35},
    {32, {192, 8, 160, 32, 4, 16}, 2048, 16, 64 * K, 64 * K, 48 * K, 48 * K, 0, Passes, Steps35},
    {35, {192, 64, 160, 32, 4, 16}, 2048, 16, 64 * K, 64 * K, 48 * K, 48 * K, 0, Passes, Steps35},
    {37, {192, 64, 160, 32, 4, 16}, 2048, 16, 128 * K, 64 * K, 112 * K, 48 * K, 0, Passes, Steps37},
    {50, {128, 4, 128, 32, 4, 8}, 2048, 32, 64 * K, 64 * K, 64 * K, 48 * K, 0, Passes, {}},
    {52, {128, 4, 128, 32, 4, 8}, 2048, 32, 64 * K, 64 * K, 96 * K, 48 * K, 0, Passes, {}},
    {53, {128, 4, 128, 32, 4, 8}, 2048, 32, 64 * K, 32 * K, 64 * K, 48 * K, 0, Passes, {}},
    {60, {64, 32, 64, 16, 2}, 2048, 32, 64 * K, 64 * K, 64 * K, 48 * K, 0, Uses, {}},
    {61, {128, 4, 128, 32, 4, 8}, 2048, 32, 64 * K, 64 * K, 96 * K, 48 * K, 0, Uses, {}},
    {62, {128, 4, 128, 32, 4, 8}, 2048, 32, 64 * K, 32 * K, 64 * K, 48 * K, 0, Uses, {}},
    {70, {64, 32, 64, 16, 4}, 2048, 32, 64 * K, 64 * K, 96 * K, 96 * K, 0, Uses, Steps70},
    {72, {64, 32, 64, 16, 4}, 2048, 32, 64 * K, 64 * K, 96 * K, 96 * K, 0, Uses, Steps70},
    {75, {64, 2, 64, 16, 4}, 1024, 16, 64 * K, 64 * K, 64 * K, 64 * K, 0, Uses, Steps75},
    {80, {64, 32, 64, 16, 4}, 2048, 32, 64 * K, 64 * K, 164 * K, 163 * K, K, Uses, Steps80},
    {86, {128, 2, 64, 16, 4}, 1536, 16, 64 * K, 64 * K, 100 * K, 99 * K, K, Uses, Steps86},
    {87, {128, 2, 64, 16, 4}, 1536, 16, 64 * K, 64 * K, 164 * K, 163 * K, K, Uses, Steps80},
    {89, {128, 2, 64, 16, 4}, 1536, 24, 64 * K, 64 * K, 100 * K, 99 * K, K, Uses, Steps86},
    {90, {128, 64, 64, 16, 4}, 2048, 32, 64 * K, 64 * K, 228 * K, 227 * K, K, Uses, Steps90},
    {100, {128, 64, 64, 16, 4}, 2048, 32, 64 * K, 64 * K, 228 * K, 227 * K, K, Uses, Steps90, 32},
    {103, {128, 64, 64, 16, 4}, 2048, 32, 64 * K, 64 * K, 228 * K, 227 * K, K, Uses, Steps90, 32},
    {110, {128, 2, 64, 16, 4}, 1536, 24, 64 * K, 64 * K, 228 * K, 227 * K, K, Uses, Steps90, 32},
    {120, {128, 2, 64, 16, 4}, 1536, 24, 64 * K, 64 * K, 100 * K, 99 * K, K, Uses, Steps86, 32},
    {121, {128, 2, 64, 16, 4}, 1536, 24, 64 * K, 64 * K, 100 * K, 99 * K, K, Uses, Steps86, 32},
};
// clang-format on

static_assert(std::is_sorted(std::begin(Table), std::end(Table),
                             [](const ArchitectureLimits &A,
                                const ArchitectureLimits &B) {
                               return A.Capability < B.Capability;
                             }));

} // namespace

std::optional<unsigned> profile::capabilityOf(std::string_view Architecture) {
  if (!Architecture.starts_with("sm_"))
    return std::nullopt;
  Architecture.remove_prefix(3);
  unsigned Number = 0;
  const char *End = Architecture.data() + Architecture.size();
  const auto [Rest, Error] = std::from_chars(Architecture.data(), End, Number);
  const bool Suffixed =
      Rest + 1 == End && std::islower(static_cast<unsigned char>(*Rest));
  if (Error != std::errc() || (Rest != End && !Suffixed) || Number < 10 ||
      Number > 999)
    return std::nullopt;
  return Number;
}

const ArchitectureLimits *profile::limitsOf(std::string_view Architecture) {
  const std::optional<unsigned> Number = capabilityOf(Architecture);
  const auto *Found = std::find_if(
      std::begin(Table), std::end(Table),
      [&](const ArchitectureLimits &L) { return L.Capability == Number; });
  return Found == std::end(Table) ? nullptr : Found;
}

std::span<const ArchitectureLimits> profile::architectures() { return Table; }

KnownLimits profile::closestLimits(std::string_view Architecture) {
  if (const ArchitectureLimits *Known = limitsOf(Architecture))
    return {*Known, false};
  const unsigned Number = capabilityOf(Architecture).value_or(0);
  KnownLimits Closest{Table[0], true};
  for (const ArchitectureLimits &L : Table)
    if (L.Capability <= Number)
      Closest.Limits = L;
  return Closest;
}
