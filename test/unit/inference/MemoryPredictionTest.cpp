//===- MemoryPredictionTest.cpp - Predictions from a profile alone --------===//

#include "profiler/inference/MemoryPrediction.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace warpwise;
using namespace warpwise::inference;

namespace {

void set(profile::Profile &P, const std::string &Path, double Value,
         const std::string &Unit = "B") {
  profile::Quantity Q;
  Q.Value = Value;
  Q.Unit = Unit;
  Q.State = profile::Status::Measured;
  Q.Method = "made up";
  P.Quantities[Path] = Q;
}

void setWord(profile::Profile &P, const std::string &Path,
             const std::string &Word) {
  profile::Quantity &Q = P.Quantities[Path];
  Q = {};
  Q.Word = Word;
  Q.Unit = "name";
  Q.Method = "made up";
}

/// 64 lines of 128 bytes in 16 sets of 4.
profile::Profile small() {
  profile::Profile P;
  set(P, paths::levels_l1_capacity, 8192);
  set(P, paths::levels_l1_line, 128);
  set(P, "levels.l1.sector", 32);
  set(P, paths::levels_l1_sets, 16, "1");
  set(P, paths::levels_l1_ways, 4, "1");
  setWord(P, paths::levels_l1_replacement, "LRU");
  setWord(P, paths::levels_l1_index, "modulo");
  return P;
}

std::vector<uint64_t> lines(unsigned Count, unsigned Step = 128) {
  std::vector<uint64_t> Offsets;
  for (unsigned I = 0; I != Count; ++I)
    Offsets.push_back(uint64_t(I) * Step);
  return Offsets;
}

TEST(MemoryPrediction, InterpolatesOverTheLogarithm) {
  profile::Profile P;
  P.Curves[paths::levels_l1_latency_by_footprint].Points = {
      {4096, 33}, {1048576, 273}, {65536, 33}};
  const auto Inside = warmLatency(P, paths::levels_l1, 10000);
  ASSERT_TRUE(Inside);
  EXPECT_DOUBLE_EQ(Inside->Cycles, 33);
  // 256 KiB is half way between 64 KiB and 1 MiB.
  const auto Between = warmLatency(P, paths::levels_l1, 262144);
  ASSERT_TRUE(Between);
  EXPECT_DOUBLE_EQ(Between->Cycles, 153);
  EXPECT_DOUBLE_EQ(Between->Low, 33);
  EXPECT_DOUBLE_EQ(Between->High, 273);
  EXPECT_DOUBLE_EQ(warmLatency(P, paths::levels_l1, 1048576)->Cycles, 273);
  EXPECT_DOUBLE_EQ(warmLatency(P, paths::levels_l1, 4096)->Cycles, 33);
  EXPECT_FALSE(warmLatency(P, paths::levels_l1, 4095));
  EXPECT_FALSE(warmLatency(P, paths::levels_l1, 1048577));
  EXPECT_FALSE(warmLatency(P, paths::levels_l2, 10000));
}

TEST(MemoryPrediction, BuildsTheCacheOfTheProfile) {
  const auto Cache = predictedCache(small(), paths::levels_l1);
  ASSERT_TRUE(Cache.Shape) << Cache.Reason;
  EXPECT_TRUE(Cache.MappingKnown);
  EXPECT_EQ(Cache.Shape->Ways, std::vector<unsigned>(16, 4));
  EXPECT_EQ(Cache.Shape->SectorBytes, 32u);
  EXPECT_EQ(Cache.Shape->capacity(), 8192u);
  EXPECT_EQ(Cache.Shape->Policy, Replacement::Lru);
}

TEST(MemoryPrediction, KeepsLinesThatDoNotDivide) {
  profile::Profile P = small();
  set(P, paths::levels_l1_capacity, 66 * 128);
  const auto Cache = predictedCache(P, paths::levels_l1);
  ASSERT_TRUE(Cache.Shape);
  EXPECT_EQ(Cache.Shape->capacity(), 66u * 128);
  EXPECT_EQ(Cache.Shape->Ways[0], 5u);
  EXPECT_EQ(Cache.Shape->Ways[2], 4u);
}

TEST(MemoryPrediction, MakesDoWithLess) {
  profile::Profile P;
  set(P, paths::levels_l1_capacity, 8192);
  set(P, paths::levels_l1_line, 128);
  set(P, paths::levels_sector, 32);
  const auto Cache = predictedCache(P, paths::levels_l1);
  ASSERT_TRUE(Cache.Shape);
  EXPECT_EQ(Cache.Shape->Ways, std::vector<unsigned>{64});
  EXPECT_EQ(Cache.Shape->SectorBytes, 32u);
  EXPECT_TRUE(Cache.MappingKnown);
  P = small();
  setWord(P, paths::levels_l1_index, "xor");
  EXPECT_FALSE(predictedCache(P, paths::levels_l1).MappingKnown);
  P.Quantities.erase(paths::levels_l1_sets);
  EXPECT_EQ(predictedCache(P, paths::levels_l1).Shape->Ways.size(), 16u);
}

TEST(MemoryPrediction, SaysWhatItLacks) {
  profile::Profile P = small();
  P.Quantities.erase(paths::levels_l1_line);
  EXPECT_EQ(predictedCache(P, paths::levels_l1).Reason,
            "levels.l1.line is missing");
  P = small();
  P.Quantities.erase(paths::levels_l1_capacity);
  EXPECT_EQ(predictedCache(P, paths::levels_l1).Reason,
            "levels.l1.capacity is missing");
  P = small();
  setWord(P, paths::levels_l1_replacement, "weighted ways");
  EXPECT_EQ(predictedCache(P, paths::levels_l1).Reason,
            "levels.l1.replacement is 'weighted ways', which the profile does "
            "not describe fully");
  setWord(P, paths::levels_l1_replacement, "tree-PLRU");
  EXPECT_TRUE(predictedCache(P, paths::levels_l1).Shape);
  set(P, paths::levels_l1_capacity, 66 * 128);
  EXPECT_FALSE(predictedCache(P, paths::levels_l1).Shape);
}

TEST(MemoryPrediction, CountsMisses) {
  const auto Shape = *predictedCache(small(), paths::levels_l1).Shape;
  EXPECT_EQ(predictedMisses(Shape, lines(64), 1), 64u);
  EXPECT_EQ(predictedMisses(Shape, lines(64), 2), 0u);
  // Three lines too many: three sets of five lines that chase one another.
  EXPECT_EQ(predictedMisses(Shape, lines(67), 3), 15u);
  // Every sector of a line is filled on its own.
  EXPECT_EQ(predictedMisses(Shape, lines(64, 32), 1), 64u);
  // All in one set.
  EXPECT_EQ(predictedMisses(Shape, lines(4, 2048), 2), 0u);
  EXPECT_EQ(predictedMisses(Shape, lines(5, 2048), 2), 5u);
}

TEST(MemoryPrediction, AgreesWithAHashedCacheOnContiguousFootprints) {
  CacheShape Hashed = *predictedCache(small(), paths::levels_l1).Shape;
  Hashed.XorMasks = {0x11, 0x22, 0x44, 0x88};
  profile::Profile P = small();
  setWord(P, paths::levels_l1_index, "xor");
  const auto Predicted = *predictedCache(P, paths::levels_l1).Shape;
  std::mt19937_64 Random(1);
  for (unsigned Count : {32, 63, 64, 65, 70, 80, 96, 128, 200}) {
    auto Offsets = lines(Count);
    std::shuffle(Offsets.begin(), Offsets.end(), Random);
    EXPECT_EQ(predictedMisses(Predicted, Offsets, 3),
              predictedMisses(Hashed, Offsets, 3))
        << Count << " lines";
  }
}

} // namespace
