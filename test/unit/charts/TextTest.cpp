//===- TextTest.cpp - Words and numbers of pages --------------------------===//

#include "profiler/charts/Text.h"

#include <gtest/gtest.h>

using namespace warpwise::charts;

namespace {

TEST(Text, HumanUnits) {
  EXPECT_EQ(bytes(249856), "244 KiB");
  EXPECT_EQ(bytes(512), "512 B");
  EXPECT_EQ(bytes(62914560), "60 MiB");
  EXPECT_EQ(bytes(150754820096), "140.4 GiB");
  EXPECT_EQ(number(1234567), "1,234,567");
  EXPECT_EQ(number(1980.26), "1,980.3");
  EXPECT_EQ(number(-1234.5), "-1,234.5");
  EXPECT_EQ(number(33.018), "33.018");
  EXPECT_EQ(number(0.03), "0.03");
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(withUnit(9712, "GB/s"), "9,712 GB/s");
  EXPECT_EQ(withUnit(12.5, "%"), "12.5 %");
  EXPECT_EQ(withUnit(3, "%smid"), "3");
}

TEST(Text, NothingGetsOutOfAnElementOrAnAttribute) {
  EXPECT_EQ(escape("<a b=\"c\" d='e'>&\x1b"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\uFFFD");
}

} // namespace
