//===- ArchitectureLimitsTest.cpp - One table for all ---------------------===//

#include "profiler/profile/ArchitectureLimits.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise::profile;

namespace {

TEST(ArchitectureLimits, NamesAreThoseOfTheCompiler) {
  EXPECT_EQ(capabilityOf("sm_90"), 90u);
  EXPECT_EQ(capabilityOf("sm_90a"), 90u);
  EXPECT_EQ(capabilityOf("sm_120f"), 120u);
  for (const char *Bad : {"", "sm_", "sm_9", "sm_90ab", "sm_9x0", "compute_90",
                          "sm_99999", "sm_90A", "sm_-90"})
    EXPECT_FALSE(capabilityOf(Bad)) << Bad;
}

TEST(ArchitectureLimits, FiguresOfTheGuide) {
  const ArchitectureLimits *Hopper = limitsOf("sm_90a");
  ASSERT_TRUE(Hopper);
  EXPECT_EQ(Hopper->SmThreads, 2048u);
  EXPECT_EQ(Hopper->SmBlocks, 32u);
  EXPECT_EQ(Hopper->SmSharedBytes, 233472u);
  EXPECT_EQ(Hopper->BlockSharedBytes, 232448u);
  EXPECT_EQ(Hopper->SharedSteps.back(), 228);
  const ArchitectureLimits *Turing = limitsOf("sm_75");
  ASSERT_TRUE(Turing);
  EXPECT_EQ(Turing->SmThreads, 1024u);
  EXPECT_EQ(Turing->SmBlocks, 16u);
  EXPECT_FALSE(limitsOf("sm_35")->GlobalLoadsUseL1);
}

TEST(ArchitectureLimits, TheTableFitsTogether) {
  for (const ArchitectureLimits &L : architectures()) {
    EXPECT_EQ(L.SmThreads % 32, 0u);
    EXPECT_GE(L.SmThreads, MostBlockThreads);
    EXPECT_LE(L.BlockSharedBytes + L.ReservedSharedBytes, L.SmSharedBytes)
        << L.Capability;
    EXPECT_LE(L.BlockRegisters, L.SmRegisters);
    EXPECT_TRUE(std::is_sorted(L.SharedSteps.begin(), L.SharedSteps.end()));
    if (!L.SharedSteps.empty()) {
      EXPECT_EQ(uint64_t(L.SharedSteps.back()) << 10, L.SmSharedBytes)
          << L.Capability;
    }
  }
}

TEST(ArchitectureLimits, ANewOneIsLikeTheClosestOlderOne) {
  EXPECT_FALSE(closestLimits("sm_86").Assumed);
  const KnownLimits New = closestLimits("sm_91");
  EXPECT_TRUE(New.Assumed);
  EXPECT_EQ(New.Limits.Capability, 90u);
  EXPECT_EQ(closestLimits("sm_999").Limits.Capability, 121u);
  EXPECT_TRUE(closestLimits("gfx90a").Assumed);
}

} // namespace
