//===- PathsTest.cpp - The paths that the code names ----------------------===//

#include "profiler/profile/Paths.h"

#include "profiler/profile/Profile.h"
#include "profiler/profile/Schema.h"

#include <gtest/gtest.h>

#include <type_traits>

using namespace warpwise;
using profile::EntryPath;

namespace {

// A literal could be mistyped, so it is no path.
static_assert(!std::is_convertible_v<const char (&)[18], EntryPath>);
static_assert(!std::is_constructible_v<EntryPath, const char *>);
static_assert(std::is_convertible_v<std::string, EntryPath>);

TEST(Paths, AreSpelledAsInTheDocument) {
  EXPECT_EQ(paths::levels_l1_latency.text(), "levels.l1.latency");
  EXPECT_EQ(paths::levels_sector.text(), "levels.sector");
  EXPECT_EQ(paths::warp_shared_conflict_degree_8.text(),
            "warp.shared.conflict.degree_8");
  EXPECT_EQ(paths::broadcast("shared", 8), "warp.shared.broadcast.degree_8");
  EXPECT_EQ(paths::firstWave(1), "topology.placement.first_wave");
  EXPECT_EQ(paths::firstWave(4), "topology.placement.first_wave_4");
}

TEST(Paths, TheSchemaIsMadeOfTheSameTable) {
  const profile::KnownPath *Known =
      profile::knownPath(paths::levels_l1_latency.text());
  ASSERT_NE(Known, nullptr);
  EXPECT_EQ(Known->Unit, "clk");
  EXPECT_TRUE(Known->Required);
  EXPECT_EQ(profile::knownPath(paths::levels_l1_latency_by_footprint), nullptr);
}

} // namespace
