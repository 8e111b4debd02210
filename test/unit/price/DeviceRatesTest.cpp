//===- DeviceRatesTest.cpp - What a profile says of a device --------------===//

#include "PriceKernels.h"

#include "analyzer/price/DeviceRates.h"

#include <gmock/gmock.h>

namespace warpwise::price {
namespace {

using testing::DoubleNear;

TEST(DeviceRatesTest, BuiltInProfileHasThemAll) {
  const DeviceRates R = h200();
  EXPECT_EQ(R.Sms, 132);
  EXPECT_EQ(R.Issue, 4);
  EXPECT_EQ(R.Pipes[unsigned(access::Pipe::Special)], 0.5);
  EXPECT_THAT(R.DramReadBytes, DoubleNear(4617.05 / 1.98, 1));
  EXPECT_THAT(R.DramWriteBytes, DoubleNear(4703.45 / 1.98, 1));
  // As many bytes each way by turns, at the rate of a copy.
  EXPECT_THAT(2 / (1 / R.DramReadBytes + 1 / R.DramWriteBytes + R.DramTurn),
              DoubleNear(4298.75 / 1.98, 1));
  EXPECT_LT(R.L2ScatterBytes, R.L2WriteBytes);
}

TEST(DeviceRatesTest, NamesWhatIsMissing) {
  profile::Profile Empty = *profile::builtin("nvidia-h200");
  Empty.Quantities.erase("levels.dram.latency");
  EXPECT_EQ(ratesOf(Empty).Missing,
            "the profile has no value for levels.dram.latency");
}

/// What only some kernels are bound by costs nothing, and that is said.
TEST(DeviceRatesTest, SaysWhatIsAssumed) {
  profile::Profile Some = *profile::builtin("nvidia-h200");
  EXPECT_THAT(ratesOf(Some).Assumed, testing::IsEmpty());
  EXPECT_EQ(ratesOf(Some).Rates->Doubt, 1);
  Some.Quantities.erase("device.launch.fit_overhead");
  Some.Quantities.erase("device.launch.latency");
  const KnownRates Known = ratesOf(Some);
  EXPECT_THAT(Known.Assumed, testing::ElementsAre(
                                 "launches cost nothing "
                                 "(device.launch.fit_overhead has no value)"));
  EXPECT_EQ(Known.Rates->LaunchNs, 0);
}

/// A device that has no asynchronous copies is not asked what they cost.
TEST(DeviceRatesTest, SaysThatAsynchronousCopiesAreFree) {
  profile::Profile Some = *profile::builtin("nvidia-h200");
  for (const char *Path : {"hopper.async_copy.bandwidth_l1_b4",
                           "hopper.async_copy.bandwidth_l1_b8"})
    Some.Quantities.erase(Path);
  EXPECT_THAT(ratesOf(Some).Assumed, testing::IsEmpty());
  Some.Quantities.erase("hopper.async_copy.bandwidth_l1");
  EXPECT_THAT(ratesOf(Some).Assumed,
              testing::ElementsAre(
                  "asynchronous copies beyond a load and a store cost nothing "
                  "(hopper.async_copy.bandwidth_l1 has no value)"));
  Some.Architecture = "sm_75";
  EXPECT_THAT(ratesOf(Some).Assumed, testing::IsEmpty());
}

/// What was measured at another clock than the device's usual one took as many
/// clocks as it does at any.
TEST(DeviceRatesTest, ClocksOfAQuantityAreThoseOfItsMeasurement) {
  profile::Profile Slower = *profile::builtin("nvidia-h200");
  profile::Quantity &Rate =
      Slower.Quantities.find("hopper.async_copy.bandwidth_l1")->second;
  const double Mhz = Rate.Mhz.value_or(ratesOf(Slower).Rates->ClockMhz);
  Rate.Value = *Rate.Value / 2;
  Rate.Mhz = Mhz / 2;
  EXPECT_NEAR(ratesOf(Slower).Rates->PerAsyncCopy.at(16),
              h200().PerAsyncCopy.at(16), 1e-6);
}

/// The literature has enough of a K20c for a price, in which there is more
/// doubt.
TEST(DeviceRatesTest, LiteratureIsEnough) {
  const KnownRates Known = ratesOf(*profile::builtin("tesla-k20c"));
  ASSERT_TRUE(Known.Rates) << Known.Missing;
  EXPECT_FALSE(Known.Rates->GlobalLoadsUseL1);
  EXPECT_GT(Known.Rates->Doubt, 1);
  EXPECT_GT(Known.Rates->ArithmeticLatency, 1);
  EXPECT_THAT(Known.Assumed, testing::SizeIs(3));
}

TEST(DeviceRatesTest, CurvesAreReadBetweenTheirPoints) {
  Points P;
  EXPECT_EQ(P.at(128), 0);
  P.Known = {{32, 100}, {64, 200}};
  EXPECT_EQ(P.at(1), 100);
  EXPECT_EQ(P.at(48), 150);
  EXPECT_EQ(P.at(1024), 200);
}

} // namespace
} // namespace warpwise::price
