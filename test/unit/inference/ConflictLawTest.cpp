//===- ConflictLawTest.cpp - Conflicts of simulated banks -----------------===//

#include "profiler/inference/ConflictLaw.h"

#include <gtest/gtest.h>

using namespace warpwise::inference;

namespace {

constexpr double Free = 30, Price = 2;

/// The latency of two words by their distance in bytes, 4 to 1024.
struct SimulatedBanks {
  std::vector<double> Distances, Latencies;

  SimulatedBanks(unsigned Count, unsigned Width) {
    for (unsigned D = 4; D <= 1024; D += 4) {
      const bool Conflict = D / Width % Count == 0 && D / Width != 0;
      Distances.push_back(D);
      Latencies.push_back(Free + (Conflict ? Price : 0));
    }
  }
};

TEST(ConflictLaw, FindsTheBanks) {
  const SimulatedBanks Usual(32, 4);
  const auto B = banksOf(Usual.Distances, Usual.Latencies, Price);
  ASSERT_TRUE(B);
  EXPECT_EQ(B->Count, 32u);
  EXPECT_EQ(B->Width, 4u);

  const SimulatedBanks Kepler(32, 8);
  const auto Wide = banksOf(Kepler.Distances, Kepler.Latencies, Price);
  ASSERT_TRUE(Wide);
  EXPECT_EQ(Wide->Count, 32u);
  EXPECT_EQ(Wide->Width, 8u);
}

TEST(ConflictLaw, NoBanksWithoutConflicts) {
  SimulatedBanks None(32, 4);
  None.Latencies.assign(None.Latencies.size(), Free);
  EXPECT_FALSE(banksOf(None.Distances, None.Latencies, Price));
}

TEST(ConflictLaw, CountsWhatIsOffTheLine) {
  const Line Law{Free, Price, 1};
  EXPECT_EQ(pointsOff(Law, {1, 2, 4}, {32, 34, 38}, 0.5), 0u);
  EXPECT_EQ(pointsOff(Law, {1, 2, 4}, {32, 36, 38}, 0.5), 1u);
}

TEST(ConflictLaw, StridesRepeatAfterTheBanks) {
  std::vector<double> ByStride;
  for (unsigned Stride = 1; Stride <= 64; ++Stride)
    ByStride.push_back(Stride % 8 == 0 ? 44 : 30);
  EXPECT_EQ(periodOf(ByStride, 0.5), 8u);
  ByStride[40] = 90;
  EXPECT_FALSE(periodOf(ByStride, 0.5));
}

} // namespace
