//===- BankedReuseTest.cpp - Table 3 of RDGC ------------------------------===//

#include "BankedReuse.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

using Outcome = BankedAccess::Outcome;
constexpr auto Cold = ReuseHistogram::Cold;

/// Two banks of two ports, two registers, a miss takes two steps; two warps
/// issue together.
BankedCache cacheOfTable3() {
  BankedCache Cache;
  Cache.Banks = Cache.Ports = Cache.Schedulers = Cache.Mshrs = 2;
  Cache.LatencySteps = 2;
  Cache.BankOf = [](uint64_t Line) {
    return Line == 'A' || Line == 'C' || Line == 'E' || Line == 'G' ? 0 : 1;
  };
  return Cache;
}

/// What the table shows of a step and bank: "A:m C:m".
std::string shown(const BankedResult &R, unsigned Step, unsigned Bank) {
  std::string Text;
  for (const BankedAccess &A : R.Accesses) {
    if (A.Step != Step || A.Bank != Bank)
      continue;
    if (!Text.empty())
      Text += ' ';
    Text += char(A.Line);
    switch (A.What) {
    case Outcome::Hit:
      Text += ":h" + std::to_string(*A.Distance);
      break;
    case Outcome::Miss:
      Text += *A.Distance == Cold ? ":m" : ":M";
      break;
    case Outcome::Merged:
      Text += ":merged";
      break;
    case Outcome::ReservationFail:
      Text += ":rf";
      break;
    }
  }
  return Text;
}

TEST(BankedReuse, Table3OfTheSeed) {
  const BankedResult R =
      analyzeBanked(cacheOfTable3(),
                    {{'A', 'B', 'C', 'D'}, {'E', 'F', 'G', 'H'}, {'A', 'D'}});
  ASSERT_EQ(R.Steps, 5u);
  EXPECT_EQ(shown(R, 0, 0), "A:m C:m");
  EXPECT_EQ(shown(R, 0, 1), "B:rf D:rf");
  EXPECT_EQ(shown(R, 1, 0), "E:rf G:rf");
  EXPECT_EQ(shown(R, 1, 1), "B:m D:m");
  EXPECT_EQ(shown(R, 2, 0), "E:m G:m");
  EXPECT_EQ(shown(R, 2, 1), "F:rf H:rf");
  EXPECT_EQ(shown(R, 3, 0), "");
  EXPECT_EQ(shown(R, 3, 1), "F:m H:m");
  EXPECT_EQ(shown(R, 4, 0), "A:h3");
  EXPECT_EQ(shown(R, 4, 1), "D:h2");
  EXPECT_EQ(R.FreeMshrs, (std::vector<unsigned>{0, 0, 0, 0, 2}));
}

TEST(BankedReuse, MergesUntilTheEntryIsFull) {
  BankedCache Cache;
  Cache.Ports = 4;
  Cache.Schedulers = 4;
  Cache.MshrMerges = 2;
  Cache.LatencySteps = 3;
  Cache.BankOf = [](uint64_t) { return 0; };
  const BankedResult R = analyzeBanked(Cache, {{'A'}, {'A'}, {'A'}, {'A'}});
  EXPECT_EQ(shown(R, 0, 0), "A:m A:merged A:merged A:rf");
  EXPECT_EQ(shown(R, 1, 0), "A:rf");
  EXPECT_EQ(shown(R, 2, 0), "A:h0");
}

TEST(BankedReuse, MoreBanksChangeTheDistances) {
  BankedCache Serial;
  Serial.BankOf = [](uint64_t) { return 0; };
  BankedCache Parallel = Serial;
  Parallel.Banks = 2;
  Parallel.BankOf = [](uint64_t Line) { return unsigned(Line % 2); };
  const std::vector<std::vector<uint64_t>> Warps = {{0, 1, 2, 3, 0, 1}};
  const auto DistanceOfLast = [&](const BankedCache &Cache) {
    return *analyzeBanked(Cache, Warps).Accesses.back().Distance;
  };
  EXPECT_EQ(DistanceOfLast(Serial), 3u);
  EXPECT_EQ(DistanceOfLast(Parallel), 1u);
}

} // namespace
