//===- ReuseDistanceTest.cpp - Stacks against caches of every size --------===//

#include "analyzer/reuse/ReuseDistance.h"
#include "analyzer/reuse/SectoredCache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

using namespace warpwise::reuse;

namespace {

CacheLevel level(unsigned Line, unsigned Fill, Replacement Policy,
                 IndexFunction Index = IndexFunction::Modulo) {
  CacheLevel L;
  L.LineBytes = Line;
  L.FillBytes = Fill;
  L.Policy = Policy;
  L.Index = Index;
  return L;
}

struct Reference {
  uint64_t Line;
  uint32_t Sectors;
  bool Load;
};

std::vector<Reference> randomReferences(uint64_t Seed, unsigned Lines,
                                        unsigned Count) {
  std::mt19937_64 Random(Seed);
  std::vector<Reference> Made;
  uint64_t Walk = 0;
  for (unsigned I = 0; I != Count; ++I) {
    // Half of them at random, half a walk: small and large distances.
    Walk = (Walk + Random() % 3) % Lines;
    const uint64_t Line = Random() % 2 ? Walk : Random() % Lines;
    Made.push_back({Line, uint32_t(1 + Random() % 15), Random() % 5 != 0});
  }
  return Made;
}

/// One set of a sectored cache as a textbook has it: a list of lines.
class BruteSet {
public:
  BruteSet(unsigned Ways, unsigned PerFill, Replacement Policy)
      : Ways(Ways), PerFill(PerFill), Policy(Policy) {}

  /// Sectors that hit.
  uint32_t access(const Reference &R) {
    ++Clock;
    ++Uses[R.Line];
    auto At = std::find_if(Lines.begin(), Lines.end(),
                           [&](const Line &L) { return L.Number == R.Line; });
    if (At == Lines.end()) {
      if (Lines.size() == Ways)
        Lines.erase(std::min_element(
            Lines.begin(), Lines.end(),
            [&](const Line &A, const Line &B) { return rank(A) < rank(B); }));
      At = Lines.insert(Lines.end(), {R.Line, 0, 0});
    }
    At->LastUse = Clock;
    const uint32_t Hit = At->Valid & R.Sectors;
    for (unsigned S = 0; S != 32; ++S)
      if (R.Sectors >> S & 1)
        for (unsigned I = 0; I != PerFill; ++I)
          At->Valid |= 1u << (S / PerFill * PerFill + I);
    return Hit;
  }

private:
  struct Line {
    uint64_t Number;
    uint32_t Valid;
    uint64_t LastUse;
  };
  std::pair<uint64_t, uint64_t> rank(const Line &L) {
    return {Policy == Replacement::Lfu ? Uses[L.Number] : 0, L.LastUse};
  }
  unsigned Ways, PerFill;
  Replacement Policy;
  uint64_t Clock = 0;
  std::vector<Line> Lines;
  std::map<uint64_t, uint64_t> Uses;
};

double bruteRatio(const std::vector<Reference> &References,
                  const SetIndex &Index, unsigned Ways, unsigned PerFill,
                  Replacement Policy) {
  std::vector<BruteSet> Cache(Index.sets(), BruteSet(Ways, PerFill, Policy));
  double Hits = 0, All = 0;
  for (const Reference &R : References) {
    const uint32_t Hit = Cache[Index(R.Line)].access(R);
    if (R.Load) {
      Hits += std::popcount(Hit);
      All += std::popcount(R.Sectors);
    }
  }
  return Hits / All;
}

TEST(ReuseDistance, Table1OfTheSeed) {
  ReuseDistance D(level(32, 32, Replacement::Lru), 1, 8);
  for (char Line : std::string("ABCDAADC"))
    D.access(uint64_t(Line), 1, true);
  for (const ReuseHistogram *H : {&D.bySet(), &D.full()}) {
    EXPECT_EQ(H->points(),
              (std::vector<std::pair<uint32_t, double>>{
                  {0, 1}, {1, 1}, {2, 1}, {3, 1}, {ReuseHistogram::Cold, 4}}));
    EXPECT_EQ(H->total(), 8);
    EXPECT_EQ(H->hitRatio(4), 0.5);
    EXPECT_EQ(H->hitRatio(2), 0.25);
  }
}

struct Organisation {
  unsigned Sets, Lines, Line, Fill;
  Replacement Policy;
  IndexFunction Index = IndexFunction::Modulo;
};

class AgainstBruteForce : public testing::TestWithParam<Organisation> {};

TEST_P(AgainstBruteForce, EveryAssociativityInOnePass) {
  const Organisation O = GetParam();
  for (uint64_t Seed = 1; Seed != 4; ++Seed) {
    const auto References = randomReferences(Seed, O.Lines, 4000);
    const CacheLevel L = level(O.Line, O.Fill, O.Policy, O.Index);
    ReuseDistance D(L, O.Sets, 12);
    for (const Reference &R : References)
      D.access(R.Line, R.Sectors, R.Load);
    for (unsigned Ways : {1u, 2u, 3u, 4u, 7u, 8u, 12u})
      EXPECT_DOUBLE_EQ(D.bySet().hitRatio(Ways),
                       bruteRatio(References, SetIndex(L, O.Sets), Ways,
                                  O.Fill / 32, O.Policy))
          << Ways << " ways";
  }
}

TEST_P(AgainstBruteForce, EveryCapacityInOnePass) {
  const Organisation O = GetParam();
  const auto References = randomReferences(7, O.Lines, 9000);
  const CacheLevel L = level(O.Line, O.Fill, O.Policy);
  ReuseDistance D(L, 1, 1);
  for (const Reference &R : References)
    D.access(R.Line, R.Sectors, R.Load);
  for (unsigned Lines : {1u, 2u, 5u, 16u, 33u, 100u, 400u})
    EXPECT_DOUBLE_EQ(D.full().hitRatio(Lines),
                     bruteRatio(References, SetIndex(L, 1), Lines, O.Fill / 32,
                                Replacement::Lru))
        << Lines << " lines";
}

INSTANTIATE_TEST_SUITE_P(
    Organisations, AgainstBruteForce,
    testing::Values(
        Organisation{1, 20, 128, 32, Replacement::Lru},
        Organisation{4, 60, 128, 32, Replacement::Lru},
        Organisation{7, 200, 128, 64, Replacement::Lru},
        Organisation{16, 300, 128, 128, Replacement::Lru},
        Organisation{1, 20, 128, 32, Replacement::Lfu},
        Organisation{4, 60, 128, 32, Replacement::Lfu},
        Organisation{3, 90, 128, 64, Replacement::Lfu},
        Organisation{16, 300, 128, 32, Replacement::Lru, IndexFunction::Xor},
        Organisation{13, 200, 128, 64, Replacement::Lru, IndexFunction::Prime},
        Organisation{8, 150, 128, 32, Replacement::Lfu,
                     IndexFunction::ShiftedModulo}));

/// A simulated cache of \p Ways ways, as SmModel uses it.
double simulatedRatio(const std::vector<Reference> &References, CacheLevel L,
                      unsigned Sets, unsigned Ways) {
  L.Ways = Ways;
  const uint64_t Bytes = uint64_t(Sets) * Ways * L.LineBytes;
  SectoredCache C(L, Bytes, SetIndex(L, setsOf(L, Bytes)));
  double Hits = 0, All = 0;
  for (const Reference &R : References) {
    uint32_t Slot = C.find(R.Line), Dirty = 0;
    if (Slot == SectoredCache::None)
      Slot = C.allocate(R.Line, Dirty);
    const uint32_t Hit = C.at(Slot).Valid & R.Sectors;
    C.at(Slot).Valid |= C.fillOf(R.Sectors & ~Hit);
    C.touch(Slot);
    if (R.Load) {
      Hits += std::popcount(Hit);
      All += std::popcount(R.Sectors);
    }
  }
  return Hits / All;
}

TEST(ReuseDistance, AgreesWithSimulatedCaches) {
  for (IndexFunction Index : {IndexFunction::Modulo, IndexFunction::Xor}) {
    const CacheLevel L = level(128, 32, Replacement::Lru, Index);
    const auto References = randomReferences(9, 400, 20000);
    ReuseDistance D(L, 32, 16);
    for (const Reference &R : References)
      D.access(R.Line, R.Sectors, R.Load);
    for (unsigned Ways : {1u, 2u, 4u, 8u, 16u})
      EXPECT_DOUBLE_EQ(D.bySet().hitRatio(Ways),
                       simulatedRatio(References, L, 32, Ways))
          << Ways << " ways";
  }
}

TEST(ReuseDistance, SampledLinesStandForAll) {
  const auto References = randomReferences(3, 20000, 200000);
  const CacheLevel L = level(128, 32, Replacement::Lru);
  ReuseDistance All(L, 1, 1), Some(L, 1, 1, 3);
  for (const Reference &R : References) {
    All.access(R.Line, R.Sectors, R.Load);
    Some.access(R.Line, R.Sectors, R.Load);
  }
  EXPECT_NEAR(Some.full().total() / All.full().total(), 1, 0.1);
  for (unsigned Lines : {1000u, 4000u, 16000u})
    EXPECT_NEAR(Some.full().hitRatio(Lines), All.full().hitRatio(Lines), 0.02);
}

TEST(ReuseDistance, OutlivesTheTimesOfTheTree) {
  // Many more uses than the tree has places at first.
  ReuseDistance D(level(128, 32, Replacement::Lru), 1, 1);
  for (unsigned I = 0; I != 50000; ++I)
    D.access(I % 100, 1, true);
  EXPECT_EQ(D.full().hitRatio(99), 0);
  EXPECT_DOUBLE_EQ(D.full().hitRatio(100), 1 - 100.0 / 50000);
}

TEST(ReuseHistogram, LargeDistancesKeepPowersOfTwoApart) {
  ReuseHistogram H;
  H.add(1u << 20, 1);
  H.add((1u << 20) - 1, 2);
  H.add(3u << 29, 4);
  H.add(ReuseHistogram::Cold, 3);
  EXPECT_EQ(H.hitRatio((1u << 20) - 1024), 0);
  EXPECT_EQ(H.hitRatio(1u << 20), 0.2);
  EXPECT_EQ(H.hitRatio((1u << 20) + 1), 0.3);
  EXPECT_EQ(H.hitRatio(uint64_t(1) << 32), 0.7);
}

} // namespace
