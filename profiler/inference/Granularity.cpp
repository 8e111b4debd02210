//===- Granularity.cpp - Sector and line ----------------------------------===//
//
// A sector by its neighbours: what one miss makes hit. A line by its tags: as
// many sectors as fit are chosen at random, so that no mapping to sets matters;
// if all still fit when each gets a partner at a distance, then partners share
// a tag, since there is no room for twice as many.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/SharedTag.h"

#include <algorithm>
#include <numeric>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

constexpr uint64_t WordBytes = 4;
constexpr uint64_t LargestLine = 1024;
/// Independent answers to each question; most of them decide.
constexpr unsigned Votes = 3;
constexpr unsigned RecheckCalls = 16;
/// Blocks that show what one miss fills.
constexpr uint64_t FillBlocks = 20;
/// Sectors that are left out because their set is full, before there is surely
/// no room for twice as many: the first such set may come early.
constexpr unsigned LeftOut = 6;

/// Whether a word hits after the one \p Distance before it, which begins a
/// block, was loaded.
bool isFilled(FitTest &Test, uint64_t Distance) {
  const uint64_t Block = std::max(LargestLine, 2 * Distance);
  const uint64_t Blocks = std::min(Test.probe().size() / Block, FillBlocks);
  std::vector<uint64_t> List;
  for (uint64_t I = 0; I != Blocks; ++I)
    List.insert(List.end(), {I * Block, I * Block + Distance});
  const std::vector<bool> Missed = Test.misses(List);
  size_t Hits = 0;
  for (size_t I = 1; I < Missed.size(); I += 2)
    Hits += !Missed[I];
  return 2 * Hits > Blocks;
}

/// Starts of random blocks of two times \p Distance, each block once, and in
/// each its first or its second half at random.
std::vector<uint64_t> randomHalves(uint64_t Size, uint64_t Distance,
                                   uint64_t Most, std::mt19937_64 &Random) {
  std::vector<uint64_t> Halves(Size / (2 * Distance));
  std::iota(Halves.begin(), Halves.end(), uint64_t(0));
  std::shuffle(Halves.begin(), Halves.end(), Random);
  Halves.resize(std::min<uint64_t>(Halves.size(), Most));
  for (uint64_t &Half : Halves)
    Half = (2 * Half + Random() % 2) * Distance;
  return Halves;
}

/// Those of \p Offsets that fit together, from the first on, until some were
/// left out; nothing if all fit.
std::vector<uint64_t> thoseThatFit(FitTest &Test,
                                   std::span<const uint64_t> Offsets) {
  std::vector<uint64_t> Kept;
  const auto FitsWith = [&](size_t Count) {
    std::vector<uint64_t> More = Kept;
    More.insert(More.end(), Offsets.begin(),
                Offsets.begin() + ptrdiff_t(Count));
    return Test.fits(More);
  };
  for (unsigned Out = 0; Out != LeftOut; ++Out) {
    size_t Fit = 0, TooMany = 1;
    while (TooMany <= Offsets.size() && FitsWith(TooMany))
      Fit = TooMany, TooMany *= 2;
    if (TooMany > Offsets.size()) {
      TooMany = Offsets.size();
      if (FitsWith(TooMany))
        return Out ? Kept : std::vector<uint64_t>();
    }
    while (TooMany - Fit > 1) {
      const size_t Middle = std::midpoint(Fit, TooMany);
      (FitsWith(Middle) ? Fit : TooMany) = Middle;
    }
    Kept.insert(Kept.end(), Offsets.begin(), Offsets.begin() + ptrdiff_t(Fit));
    Offsets = Offsets.subspan(TooMany);
  }
  return Kept;
}

} // namespace

std::optional<bool> inference::shareTag(FitTest &Test, uint64_t Distance,
                                        uint64_t Most,
                                        std::mt19937_64 &Random) {
  unsigned Shared = 0, Valid = 0;
  for (unsigned Vote = 0; Vote != Votes; ++Vote) {
    const std::vector<uint64_t> Halves =
        randomHalves(Test.probe().size(), Distance, Most, Random);
    const std::vector<uint64_t> Fit = thoseThatFit(Test, Halves);
    if (Fit.empty())
      return std::nullopt;
    std::vector<uint64_t> Pairs;
    for (uint64_t Half : Fit)
      Pairs.insert(Pairs.end(), {Half, Half ^ Distance});
    const bool Together = Test.fits(Pairs);
    // Among outliers a full set may have been missed, which now shows.
    if (!Together && Test.noisy() && !Test.fits(Fit, RecheckCalls))
      continue;
    ++Valid;
    Shared += Together;
  }
  if (Valid == 0)
    return std::nullopt;
  return 2 * Shared > Valid;
}

std::optional<Granularity> inference::granularity(AccessProbe &Probe,
                                                  const HitRule &Rule,
                                                  uint64_t CapacityBytes) {
  FitTest Test(Probe, Rule);
  Granularity Found;
  for (uint64_t Distance = WordBytes; Distance <= LargestLine; Distance *= 2)
    if (!isFilled(Test, Distance)) {
      Found.SectorBytes = Distance;
      break;
    }
  if (!Found.SectorBytes)
    return std::nullopt;
  std::mt19937_64 Random(1);
  // Some more than would fit if each sector had a tag of its own.
  const uint64_t Most = std::clamp<uint64_t>(
      CapacityBytes / Found.SectorBytes + 64, 64, FitTest::LongestList / 4);
  for (uint64_t Distance = Found.SectorBytes; Distance <= LargestLine;
       Distance *= 2) {
    const auto Shared = shareTag(Test, Distance, Most, Random);
    if (!Shared)
      return std::nullopt;
    if (!*Shared) {
      Found.LineBytes = Distance;
      return Found;
    }
  }
  return std::nullopt;
}
