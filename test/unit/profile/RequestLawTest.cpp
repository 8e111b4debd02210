//===- RequestLawTest.cpp - The sizes that a profile gives ----------------===//

#include "profiler/profile/RequestLaw.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::profile;

namespace {

void tell(Profile &P, EntryPath Path, double Value) {
  Quantity Q;
  Q.Value = Value;
  P.Quantities[Path] = Q;
}

/// A profile that tells every size.
Profile complete() {
  Profile P;
  tell(P, paths::levels_sector, 32);
  tell(P, paths::levels_l1_line, 128);
  tell(P, paths::levels_shared_banks, 32);
  tell(P, paths::levels_shared_bank_width, 4);
  tell(P, paths::levels_shared_bytes_per_clock, 127.5);
  return P;
}

TEST(RequestLaw, TheH200HasTheUsualOneAndAssumesNothing) {
  const KnownLaw Known = requestLaw(*builtin("nvidia-h200"));
  RequestLaw Usual;
  Usual.ConstantLines = 32; // 2 KiB
  EXPECT_EQ(Known.Law, Usual);
  EXPECT_TRUE(Known.Assumed.empty());
  EXPECT_EQ(Known.Law.lanesOfPass(4), 32u);
  EXPECT_EQ(Known.Law.lanesOfPass(8), 16u);
  EXPECT_EQ(Known.Law.lanesOfPass(16), 8u);
  EXPECT_EQ(Known.Law.period(), 128u);
}

TEST(RequestLaw, BanksOfKeplerDeliverTwoWords) {
  const KnownLaw Known = requestLaw(*builtin("tesla-k20c"));
  EXPECT_TRUE(Known.Assumed.empty());
  EXPECT_EQ(Known.Law.BankBytes, 4u);
  EXPECT_EQ(Known.Law.RowsPerPass, 2u);
  EXPECT_EQ(Known.Law.passBytes(), 256u);
  EXPECT_EQ(Known.Law.lanesOfPass(8), 32u);
  EXPECT_EQ(Known.Law.lanesOfPass(16), 16u);
  EXPECT_EQ(Known.Law.period(), 256u);
}

TEST(RequestLaw, OddWidthsTakeTheNextPowerOfTwo) {
  constexpr RequestLaw Law;
  EXPECT_EQ(Law.lanesOfPass(1), 32u);
  EXPECT_EQ(Law.lanesOfPass(12), 8u);
  EXPECT_EQ(Law.lanesOfPass(4096), 1u);
}

TEST(RequestLaw, SaysWhatIsMissing) {
  Profile P = complete();
  P.Quantities.erase(paths::levels_shared_bank_width);
  const KnownLaw Known = requestLaw(P);
  EXPECT_EQ(Known.Law, RequestLaw());
  ASSERT_EQ(Known.Assumed.size(), 1u);
  EXPECT_EQ(
      Known.Assumed[0],
      "bytes of a bank's word: 4 (levels.shared.bank_width has no value)");
}

TEST(RequestLaw, AQuantityWithoutAValueIsMissing) {
  Profile P = complete();
  P.Quantities[paths::levels_sector].Value.reset();
  EXPECT_EQ(requestLaw(P).Assumed.size(), 1u);
}

TEST(RequestLaw, ReadsOtherSizes) {
  Profile P = complete();
  tell(P, paths::levels_sector, 64);
  tell(P, paths::levels_shared_banks, 16);
  tell(P, paths::levels_shared_bank_width, 8);
  const KnownLaw Known = requestLaw(P);
  EXPECT_TRUE(Known.Assumed.empty());
  EXPECT_EQ(Known.Law.SectorBytes, 64u);
  EXPECT_EQ(Known.Law.Banks, 16u);
  EXPECT_EQ(Known.Law.BankBytes, 8u);
}

TEST(RequestLaw, RefusesSizesThatNoGpuHas) {
  for (const auto &[Path, Value] :
       {std::pair(paths::levels_sector, 33.0),
        {paths::levels_sector, 2048.0},
        {paths::levels_l1_line, 0.5},
        {paths::levels_shared_banks, 48.0},
        {paths::levels_shared_banks, 1024.0},
        {paths::levels_shared_bank_width, 64.0},
        {paths::levels_shared_bytes_per_clock, 3.0},
        {paths::levels_shared_bytes_per_clock, 90000.0}}) {
    Profile P = complete();
    tell(P, Path, Value);
    const KnownLaw Known = requestLaw(P);
    EXPECT_EQ(Known.Law, RequestLaw()) << Path.text();
    ASSERT_EQ(Known.Assumed.size(), 1u) << Path.text();
    EXPECT_NE(Known.Assumed[0].find(Path), std::string::npos);
  }
}

} // namespace
