//===- JsonDepthTest.cpp --------------------------------------------------===//

#include "profiler/io/JsonDepth.h"
#include "gtest/gtest.h"

#include <string>

using namespace warpwise::io;

TEST(JsonDepth, CountsWhatIsOpen) {
  EXPECT_FALSE(isNestedDeeperThan("", 0));
  EXPECT_FALSE(isNestedDeeperThan("[[]]", 2));
  EXPECT_TRUE(isNestedDeeperThan("[[]]", 1));
  EXPECT_FALSE(isNestedDeeperThan("[[], [], {}, {}]", 2));
  EXPECT_TRUE(isNestedDeeperThan(std::string(100'000, '[')));
  EXPECT_TRUE(isNestedDeeperThan(R"({"a": [{}]})", 2));
}

TEST(JsonDepth, BracketsInStringsAreText) {
  EXPECT_FALSE(isNestedDeeperThan(R"(["[[[", "\"[[", "\\"])", 1));
  EXPECT_TRUE(isNestedDeeperThan(R"(["\\", []])", 1));
}

TEST(JsonDepth, NeedsNoValidText) {
  EXPECT_FALSE(isNestedDeeperThan("]]]][", 1));
  EXPECT_FALSE(isNestedDeeperThan("\"\\", 1));
}
