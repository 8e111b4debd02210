//===- SelectionTest.cpp - Which benchmarks run ---------------------------===//

#include "profiler/tool/Measurement.h"
#include "gtest/gtest.h"

using namespace warpwise;
using namespace warpwise::tool;
using harness::Benchmark;

namespace {

std::vector<Benchmark> some() {
  std::vector<Benchmark> All(3);
  All[0].Name = "clock";
  All[0].Measures = "the clock";
  All[0].Quick = true;
  All[1].Name = "slow";
  All[1].Measures = "something slow";
  All[2].Name = "arrays";
  All[2].Measures = "arrays";
  All[2].NeedsGpu = false;
  return All;
}

std::vector<std::string_view> names(const Selection &S) {
  std::vector<std::string_view> Names;
  for (const Benchmark *B : S)
    Names.push_back(B->Name);
  return Names;
}

using Names = std::vector<std::string_view>;

} // namespace

TEST(Selection, IsEverythingOrWhatIsQuick) {
  const auto All = some();
  EXPECT_EQ(select(All, {}, false)->size(), 3u);
  EXPECT_EQ(names(*select(All, {}, true)), Names({"clock"}));
}

TEST(Selection, OnlyNamesWinOverQuick) {
  const auto All = some();
  EXPECT_EQ(names(*select(All, {"slow"}, true)), Names({"slow"}));
}

TEST(Selection, AnUnknownNameListsTheOthers) {
  const auto All = some();
  EXPECT_EQ(select(All, {"slow", "fast"}, false).reason(),
            "unknown benchmark 'fast'; there are arrays, clock, slow");
}

TEST(Selection, KnowsWhetherAGpuIsNeeded) {
  const auto All = some();
  EXPECT_TRUE(needsGpu({&All[0], &All[2]}));
  EXPECT_FALSE(needsGpu({&All[2]}));
}

TEST(Selection, TheListSaysWhatIsQuick) {
  EXPECT_EQ(listBenchmarks(some()), "clock   the clock (quick)\n"
                                    "slow    something slow\n"
                                    "arrays  arrays (needs no GPU)\n");
}
