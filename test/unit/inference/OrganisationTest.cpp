//===- OrganisationTest.cpp - Sets, mapping and replacement ---------------===//
//
// Simulated caches of known organisation, from the papers and beyond them,
// without noise and with outliers: what is found has to be what was built.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/SetMapping.h"
#include "profiler/inference/simulate/SimulatedProbe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace warpwise::inference;

namespace {

constexpr ProbeNoise Quiet{};
constexpr ProbeNoise Noisy{2, 0.02, 50, 2000};

Organisation organisationOf(SimulatedProbe &Probe, uint64_t LineBytes,
                            uint64_t Capacity) {
  const auto Rule =
      hitRule(Probe, std::min<uint64_t>(Capacity / 8, 4096), LineBytes);
  EXPECT_TRUE(Rule);
  return organisation(Probe, *Rule, LineBytes, Capacity);
}

std::vector<unsigned> sorted(std::vector<unsigned> Ways) {
  std::sort(Ways.begin(), Ways.end(), std::greater<>());
  return Ways;
}

CacheShape hashed(std::vector<uint64_t> Masks, unsigned Ways,
                  Replacement Policy = Replacement::Lru) {
  CacheShape S = CacheShape::uniform(128, 1u << Masks.size(), Ways, Policy);
  S.XorMasks = std::move(Masks);
  return S;
}

CacheShape fermiL1() {
  CacheShape S = CacheShape::uniform(128, 32, 4, Replacement::WeightedWay);
  S.WayWeights = {1.0 / 6, 1.0 / 2, 1.0 / 6, 1.0 / 6};
  return S;
}

CacheShape keplerTexture() {
  CacheShape S = CacheShape::uniform(32, 4, 96);
  S.XorMasks = {1 << 2, 1 << 3};
  return S;
}

class OrganisationTest : public testing::TestWithParam<bool> {
protected:
  ProbeNoise noise() const { return GetParam() ? Noisy : Quiet; }

  Organisation check(const CacheShape &Shape) {
    SimulatedProbe Probe(Shape, noise());
    const Organisation O =
        organisationOf(Probe, Shape.LineBytes, Shape.capacity());
    EXPECT_LT(Probe.calls(), 4000u);
    EXPECT_LT(Probe.accesses(), 20000000u);
    EXPECT_LE(Probe.longestList(), 15000u);
    for (unsigned Ways : O.Ways)
      EXPECT_EQ(Ways, Shape.Ways.front());
    return O;
  }

  void expectXor(const Organisation &O, const CacheShape &Shape) {
    EXPECT_TRUE(O.MappingExplained) << O.Unknown;
    EXPECT_EQ(O.Sets, Shape.Ways.size());
    EXPECT_EQ(reducedBasis(O.XorMasks), reducedBasis(Shape.XorMasks));
  }
  void expectModulo(const Organisation &O, const CacheShape &Shape) {
    EXPECT_TRUE(O.MappingExplained) << O.Unknown;
    EXPECT_EQ(O.Sets, Shape.Ways.size());
    EXPECT_TRUE(O.XorMasks.empty());
  }
};

TEST_P(OrganisationTest, ModuloSets) {
  for (const auto [Sets, Ways] : {std::pair{64u, 4u},
                                  {8u, 8u},
                                  {1u, 16u},
                                  {448u, 4u},
                                  {434u, 4u},
                                  {128u, 1u},
                                  {7u, 3u}}) {
    SCOPED_TRACE(testing::Message() << Sets << " sets of " << Ways);
    const CacheShape Shape = CacheShape::uniform(128, Sets, Ways);
    const Organisation O = check(Shape);
    expectModulo(O, Shape);
    EXPECT_EQ(O.AllSets, Sets < 40);
    if (Ways > 1) {
      EXPECT_EQ(O.Policy, Replacement::Lru) << O.Unknown;
      EXPECT_GT(O.PolicyAgreement, 0.95);
    } else {
      EXPECT_FALSE(O.Policy);
    }
  }
}

TEST_P(OrganisationTest, HashedSets) {
  for (const CacheShape &Shape :
       {hashed({0x1249, 0x0492, 0x0924}, 4),
        hashed({0x11, 0x22, 0x44, 0x88, 0x110, 0x220, 0x440, 0x880, 0x1101}, 4),
        hashed({1, 2, 4 ^ 64, 8 ^ 128 ^ 1024}, 16)}) {
    const Organisation O = check(Shape);
    expectXor(O, Shape);
    EXPECT_EQ(O.Policy, Replacement::Lru) << O.Unknown;
  }
}

TEST_P(OrganisationTest, KeplerTexture) {
  const Organisation O = check(keplerTexture());
  expectXor(O, keplerTexture());
  EXPECT_EQ(O.Ways, std::vector<unsigned>(4, 96));
  EXPECT_EQ(O.Policy, Replacement::Lru) << O.Unknown;
}

TEST_P(OrganisationTest, Policies) {
  for (Replacement Policy :
       {Replacement::Lru, Replacement::Fifo, Replacement::Random,
        Replacement::TreePlru, Replacement::NotMru})
    for (unsigned Ways : {4u, 8u}) {
      SCOPED_TRACE(testing::Message()
                   << replacementName(Policy) << " of " << Ways);
      const CacheShape Shape = CacheShape::uniform(128, 64, Ways, Policy);
      const Organisation O = check(Shape);
      expectModulo(O, Shape);
      EXPECT_EQ(O.Policy, Policy) << O.Unknown;
      EXPECT_GT(O.PolicyAgreement, 0.9);
    }
}

TEST_P(OrganisationTest, FermiL1) {
  const Organisation O = check(fermiL1());
  expectModulo(O, fermiL1());
  EXPECT_EQ(O.Policy, Replacement::WeightedWay) << O.Unknown;
  ASSERT_EQ(O.WayWeights.size(), 4u);
  for (unsigned Way = 0; Way != 4; ++Way)
    EXPECT_NEAR(O.WayWeights[Way], fermiL1().WayWeights[Way], 0.04);
}

/// Mei's Fig. 10, with the pages in a random order over its sets, which no
/// mapping explains, and modulo.
TEST_P(OrganisationTest, UnequalSets) {
  SimulatedMemory M;
  M.Bytes = 1 << 20;
  CacheShape Shape;
  Shape.LineBytes = Shape.SectorBytes = 128;
  Shape.Ways = {17, 8, 8, 8, 8, 8, 8};
  M.Caches.push_back({Shape, 84});
  std::vector<uint64_t> Moved(M.Bytes / 128);
  std::iota(Moved.begin(), Moved.end(), 0);
  std::shuffle(Moved.begin(), Moved.end(), std::mt19937_64(7));
  M.Address = [=](uint64_t Offset) {
    return Moved[Offset / 128] * 128 + Offset % 128;
  };
  SimulatedProbe Probe(M, noise());
  Organisation O = organisationOf(Probe, 128, Shape.capacity());
  EXPECT_EQ(sorted(O.Ways), Shape.Ways);
  EXPECT_TRUE(O.AllSets);
  EXPECT_FALSE(O.MappingExplained);
  EXPECT_FALSE(O.Unknown.empty());
  EXPECT_EQ(O.Policy, Replacement::Lru) << O.Unknown;

  M.Address = nullptr;
  SimulatedProbe Plain(M, noise());
  O = organisationOf(Plain, 128, Shape.capacity());
  EXPECT_EQ(O.Ways, Shape.Ways);
  EXPECT_TRUE(O.MappingExplained);
  EXPECT_EQ(O.Sets, 7u);
}

/// More tags than data, as it seems to be on sm_90: 512 sets of 4 tags, but
/// room for 1736 lines. Only a set evicts while fewer are in use.
TEST_P(OrganisationTest, FewerLinesThanTags) {
  SimulatedMemory M;
  M.Bytes = 4 << 20;
  M.DataLines = 1736;
  M.Caches.push_back(
      {hashed({0x1001, 0x2002, 0x4004, 8, 16, 32, 64, 128, 256}, 4), 84});
  SimulatedProbe Probe(M, noise());
  const Organisation O = organisationOf(Probe, 128, 1736 * 128);
  expectXor(O, M.Caches[0].Shape);
  for (unsigned Ways : O.Ways)
    EXPECT_EQ(Ways, 4u);
  EXPECT_EQ(O.Policy, Replacement::Lru) << O.Unknown;
}

INSTANTIATE_TEST_SUITE_P(Noise, OrganisationTest, testing::Bool(),
                         [](const auto &I) {
                           return I.param ? "Outliers" : "Quiet";
                         });

} // namespace
