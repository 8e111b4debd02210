//===- CacheOptionsTest.cpp - Parameters by name and from profiles --------===//

#include "analyzer/reuse/CacheOptions.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

profile::Quantity measured(double Value) {
  profile::Quantity Q;
  Q.Value = Value;
  Q.State = profile::Status::Measured;
  return Q;
}

profile::Quantity word(std::string Word) {
  profile::Quantity Q;
  Q.Word = std::move(Word);
  Q.State = profile::Status::Measured;
  return Q;
}

profile::Curve curve(std::vector<std::array<double, 2>> Points) {
  profile::Curve C;
  C.Points = std::move(Points);
  C.State = profile::Status::Measured;
  return C;
}

TEST(CacheOptions, EveryParameterReadsBackAndHasAHelp) {
  for (const OptionInfo &Info : optionInfos()) {
    CacheOptions O;
    EXPECT_FALSE(Info.Help.empty()) << Info.Name;
    const std::string Value = Info.Get(O);
    if (Value.empty() || Info.Name == "l1.unified")
      continue;
    EXPECT_EQ(set(O, Info.Name, Value), "") << Info.Name;
    EXPECT_EQ(Info.Get(O), Value) << Info.Name;
    EXPECT_EQ(originOf(O, Info.Name), "set");
  }
}

TEST(CacheOptions, SetByName) {
  CacheOptions O;
  EXPECT_EQ(set(O, "l1.ways", "8"), "");
  EXPECT_EQ(O.L1.Ways, 8u);
  EXPECT_EQ(O.L1.Sets, 0u) << "follows the capacity";
  EXPECT_EQ(set(O, "l1.capacity", "32K"), "");
  EXPECT_EQ(O.L1.CapacityBytes, 32768u);
  EXPECT_TRUE(O.L1ByCarveout.empty());
  EXPECT_EQ(set(O, "l1.index", "pri"), "");
  EXPECT_EQ(O.L1.Index, IndexFunction::Prime);
  EXPECT_EQ(set(O, "l2.replacement", "lfu"), "");
  EXPECT_EQ(O.L2.Policy, Replacement::Lfu);
  EXPECT_EQ(set(O, "l1.bypass", "won"), "");
  EXPECT_EQ(O.L1Bypass, Bypass::Writes);
  EXPECT_EQ(set(O, "blocks", "bpart8"), "");
  EXPECT_EQ(O.Blocks, BlockMapping::Partition8);
  EXPECT_EQ(set(O, "l1.xor_masks", "0x11:22:44"), "");
  EXPECT_EQ(O.L1.XorMasks, (std::vector<uint64_t>{0x11, 0x22, 0x44}));
  EXPECT_EQ(O.L1.Sets, 8u);
  EXPECT_EQ(validate(O), "");
}

TEST(CacheOptions, OneSentenceForWhatIsWrong) {
  CacheOptions O;
  const CacheOptions Before = O;
  EXPECT_EQ(set(O, "l1.ways", "many"),
            "'many' for l1.ways is not a number; expected a number");
  EXPECT_EQ(set(O, "l1.ways", "0"),
            "'0' for l1.ways is not between 1 and 1048576; expected a number");
  EXPECT_EQ(set(O, "l1.capacity", "99999999999999999999"),
            "'99999999999999999999' for l1.capacity is not a number; expected "
            "a number");
  EXPECT_EQ(set(O, "l1.replacement", "best"),
            "'best' for l1.replacement is no such choice; expected lru, lfu, "
            "fifo, random");
  EXPECT_EQ(set(O, "l1.xor_masks", "0"),
            "'0' for l1.xor_masks is not a list of hexadecimal masks with ':' "
            "between; expected hexadecimal masks with ':' between");
  EXPECT_EQ(set(O, "l3.ways", "8"), "there is no cache parameter 'l3.ways'");
  EXPECT_EQ(set(O, "merge.cycles", "8"),
            "there is no cache parameter 'merge.cycles', but merge.window, "
            "merge.requests");
  EXPECT_EQ(O.L1, Before.L1);
  EXPECT_EQ(originOf(O, "l1.ways"), "default");
}

TEST(CacheOptions, WhatDoesNotFitTogether) {
  CacheOptions O;
  ASSERT_EQ(set(O, "l1.line", "96"), "");
  EXPECT_EQ(validate(O), "l1.line is not a power of two");
  ASSERT_EQ(set(O, "l1.line", "32"), "");
  ASSERT_EQ(set(O, "l1.fill", "64"), "");
  EXPECT_EQ(validate(O), "l1.fill is not a power of two up to the line");
  O = CacheOptions();
  ASSERT_EQ(set(O, "l1.capacity", "1K"), "");
  ASSERT_EQ(set(O, "l1.ways", "16"), "");
  EXPECT_EQ(validate(O), "l1.capacity is less than one set");
  O = CacheOptions();
  ASSERT_EQ(set(O, "l2.ways", "256"), "");
  ASSERT_EQ(set(O, "l2.sets", "16M"), "");
  EXPECT_EQ(validate(O), "l2.sets and l2.ways make more than 2^28 tags");
}

TEST(CacheOptions, FromAMeasuredProfile) {
  profile::Profile P;
  P.Quantities[paths::device_sm_count] = measured(4);
  P.Quantities[paths::levels_l1_capacity] = measured(241 << 10);
  P.Quantities[paths::levels_l1_line] = measured(128);
  P.Quantities[paths::levels_l1_sets] = measured(4);
  P.Quantities[paths::levels_l1_ways] = measured(2);
  P.Quantities[paths::levels_l1_index] = word("xor");
  P.Quantities[paths::levels_l1_replacement] = word("FIFO");
  P.Quantities[paths::levels_sector] = measured(32);
  P.Quantities[paths::levels_l2_fill] = measured(64);
  P.Quantities[paths::levels_l2_latency] = measured(281.4);
  P.Quantities[paths::levels_l2_first_touch_other_side] = measured(456);
  P.Quantities[paths::levels_l2_bandwidth_write] = measured(4000);
  P.Quantities[paths::device_clock] = measured(2000);
  P.Quantities[paths::topology_l2_partitions] = measured(2);
  P.Quantities[paths::concurrency_merge_window] = measured(160);
  P.Quantities[paths::concurrency_store_merge_window] = measured(96);
  P.Curves[paths::levels_l1_capacity_by_carveout] =
      curve({{8192, 246784}, {16384, 238592}});
  P.Curves[paths::levels_l1_index_masks] = curve({{0, 5}, {1, 10}});
  P.Curves[paths::topology_sm_to_gpc] = curve({{0, 0}, {1, 0}, {2, 1}, {3, 1}});
  P.Curves[paths::topology_placement_first_wave] =
      curve({{0, 2}, {1, 0}, {2, 3}, {3, 1}});
  const CacheOptions O = optionsFromProfile(P);
  EXPECT_EQ(O.Sm.Count, 4u);
  EXPECT_EQ(O.L1.Ways, 2u);
  EXPECT_EQ(O.L1.Sets, 4u);
  EXPECT_EQ(O.L1.XorMasks, (std::vector<uint64_t>{5, 10}));
  EXPECT_EQ(O.L1.Policy, Replacement::Fifo);
  EXPECT_EQ(O.L1ByCarveout.size(), 2u);
  EXPECT_EQ(O.L2.LatencyCycles, 281u);
  EXPECT_EQ(O.FarCycles, 175u);
  EXPECT_EQ(O.StoreBytesPerCycle, 2000u);
  EXPECT_EQ(originOf(O, "l2.store_bandwidth"), "measured");
  EXPECT_EQ(O.SmToGroup, (std::vector<unsigned>{0, 0, 1, 1}));
  EXPECT_EQ(O.FirstWave.at(1), (std::vector<unsigned>{2, 0, 3, 1}));
  EXPECT_EQ(originOf(O, "l1.ways"), "measured");
  EXPECT_EQ(originOf(O, "merge.groups"), "measured");
  EXPECT_EQ(originOf(O, "l2.ways"), "H200");
  EXPECT_EQ(validate(O), "");
}

TEST(CacheOptions, AnotherGpuHasNoTagsOfAnH200) {
  const std::optional<profile::Profile> K20c = profile::builtin("tesla-k20c");
  ASSERT_TRUE(K20c);
  const CacheOptions O = optionsFromProfile(*K20c);
  EXPECT_EQ(O.Sm.Count, 13u);
  EXPECT_EQ(validate(O), "");
}

TEST(CacheOptions, LimitsAreThoseOfTheArchitecture) {
  const CacheOptions O = optionsFromProfile(*profile::builtin("tesla-k20c"));
  EXPECT_EQ(O.Sm.Threads, 2048u);
  EXPECT_EQ(O.Sm.Blocks, 16u);
  EXPECT_EQ(O.Sm.Registers, 65536u);
  EXPECT_EQ(O.Sm.SharedBytes, 49152u);
  EXPECT_EQ(O.Sm.ReservedSharedBytes, 0u);
  EXPECT_EQ(O.L1Bypass, Bypass::Global);
  EXPECT_EQ(originOf(O, "sm.blocks"), "architecture");
  EXPECT_EQ(originOf(O, "sm.shared"), "literature");
  EXPECT_EQ(originOf(O, "merge.requests"), "H200");
  EXPECT_EQ(originOf(optionsFromProfile(*profile::builtin("nvidia-h200")),
                     "merge.requests"),
            "default");

  profile::Profile New;
  New.Architecture = "sm_86";
  const CacheOptions Ampere = optionsFromProfile(New);
  EXPECT_EQ(Ampere.Sm.Threads, 1536u);
  EXPECT_EQ(Ampere.Sm.SharedBytes, 100u << 10);
  EXPECT_EQ(Ampere.SharedSteps.back(), 100u << 10);
  EXPECT_EQ(Ampere.L1Bypass, Bypass::Off);

  New.Architecture = "sm_91";
  const CacheOptions Unknown = optionsFromProfile(New);
  EXPECT_EQ(Unknown.Sm.Blocks, 32u);
  EXPECT_EQ(originOf(Unknown, "sm.blocks"), "assumed");
}

} // namespace
