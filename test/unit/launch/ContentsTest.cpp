//===- ContentsTest.cpp - What memory holds at a launch -------------------===//

#include "analyzer/launch/facts/Contents.h"

#include "gtest/gtest.h"

#include <set>

using namespace warpwise::launch;

namespace {

Contents contents(Contents::Kind What, unsigned ElementBytes = 0,
                  uint64_t Elements = 0) {
  Contents C;
  C.What = What;
  C.ElementBytes = ElementBytes;
  C.Elements = Elements;
  return C;
}

TEST(ContentsTest, AnElementIsAsWideAsTheLoadOrAsItIsSaid) {
  EXPECT_EQ(contents(Contents::Kind::Iota).read(40, 4), 10u);
  EXPECT_EQ(contents(Contents::Kind::Iota).read(40, 8), 5u);
  EXPECT_EQ(contents(Contents::Kind::Iota, 8).read(40, 8), 5u);
  // Two numbers of 16 bits in one load, and a part of one.
  EXPECT_EQ(contents(Contents::Kind::Iota, 2).read(4, 4), 0x00030002u);
  EXPECT_EQ(contents(Contents::Kind::Iota, 4).read(1025, 1), 1u);
}

TEST(ContentsTest, NothingIsKnownBehindTheLastElement) {
  const Contents C = contents(Contents::Kind::Iota, 4, 8);
  EXPECT_EQ(C.read(28, 4), 7u);
  EXPECT_FALSE(C.read(32, 4));
  EXPECT_FALSE(C.read(30, 4));
  EXPECT_FALSE(contents(Contents::Kind::Zeros).read(uint64_t(0) - 4, 4));
  EXPECT_FALSE(contents(Contents::Kind::Zeros).read(0, 16));
}

TEST(ContentsTest, RandomNumbersAreTheSameEachTimeAndBelowTheLimit) {
  Contents C = contents(Contents::Kind::Random, 4, 1000);
  std::set<uint64_t> Seen;
  for (unsigned N = 0; N != 1000; ++N) {
    EXPECT_LT(*C.read(4 * N, 4), 1000u);
    EXPECT_EQ(C.read(4 * N, 4), C.read(4 * N, 4));
    Seen.insert(*C.read(4 * N, 4));
  }
  EXPECT_NEAR(double(Seen.size()), 632, 60); // 1000 (1 - 1/e) of them differ
  C.Below = 3;
  EXPECT_LT(*C.read(0, 4), 3u);
}

TEST(ContentsTest, BuffersHaveNothingToDoWithEachOther) {
  Contents C = contents(Contents::Kind::Random, 4, 1000), Other = C;
  Other.Seed = 77;
  unsigned Same = 0;
  for (unsigned N = 0; N != 1000; ++N)
    Same += *C.read(4 * N, 4) == *Other.read(4 * N, 4);
  EXPECT_LT(Same, 20u); // one in a thousand by chance
}

TEST(ContentsTest, SortedNumbersAscendAsFarAsTheLimit) {
  Contents C = contents(Contents::Kind::Sorted, 4, 1000);
  C.Below = 4000;
  uint64_t Last = 0;
  for (unsigned N = 0; N != 1000; ++N) {
    EXPECT_GE(*C.read(4 * N, 4), Last);
    Last = *C.read(4 * N, 4);
  }
  EXPECT_LT(Last, 4000u);
  EXPECT_GE(Last, 3996u);
  EXPECT_EQ(C.read(4000, 4), std::nullopt);
}

TEST(ContentsTest, AFileIsFollowedByZeros) {
  Contents C = contents(Contents::Kind::Bytes);
  C.Data = "\x01\x02\x03";
  EXPECT_EQ(C.read(0, 4), 0x00030201u);
  EXPECT_EQ(C.read(4, 4), 0u);
}

} // namespace
