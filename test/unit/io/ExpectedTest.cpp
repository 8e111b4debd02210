//===- ExpectedTest.cpp - A value or the reason why there is none ---------===//

#include "profiler/io/Expected.h"
#include "gtest/gtest.h"

#include <memory>

using namespace warpwise::io;

TEST(Expected, HoldsAValue) {
  Expected<std::string> Word = std::string("sectors");
  ASSERT_TRUE(bool(Word));
  EXPECT_EQ(*Word, "sectors");
  EXPECT_EQ(Word->size(), 7u);
  EXPECT_EQ(Word.reason(), "");
}

TEST(Expected, HoldsAReason) {
  Expected<int> Number = Failure{"there is none"};
  EXPECT_FALSE(bool(Number));
  EXPECT_EQ(Number.reason(), "there is none");
}

TEST(Expected, HoldsWhatCanOnlyBeMoved) {
  Expected<std::unique_ptr<int>> Number = Failure{"not yet"};
  Number = std::make_unique<int>(3);
  ASSERT_TRUE(bool(Number));
  EXPECT_EQ(**Number, 3);
}
