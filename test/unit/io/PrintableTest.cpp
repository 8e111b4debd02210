//===- PrintableTest.cpp --------------------------------------------------===//

#include "profiler/io/Printable.h"
#include "gtest/gtest.h"

#include <algorithm>

using warpwise::io::printable;
using warpwise::io::printableLines;
using warpwise::io::shortened;

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a 'b' \\ ~"), "a 'b' \\ ~");
  EXPECT_EQ(printable("gr\u00fc\u00df \u6f22\u5b57 \U0001F600"),
            "gr\u00fc\u00df \u6f22\u5b57 \U0001F600");
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("one\ntwo\r\tthree\x7f"), "one\\ntwo\\r\\tthree\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");
  EXPECT_EQ(printable("user \u202e// admin"), "user \\u202e// admin");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xff\x9b"), "\\xff\\x9b");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf8\x88\x80\x80\x80"), "\\xf8\\x88\\x80\\x80\\x80");
}

TEST(Printable, KeepsLines) {
  EXPECT_EQ(printableLines("a\tb\n\x1b[2J\n"), "a\tb\n\\x1b[2J\n");
  EXPECT_EQ(printableLines("\n\n"), "\n\n");
  EXPECT_EQ(printableLines(""), "");
}

TEST(Printable, LosesTheMiddleOfWhatIsTooLong) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("0123456789abcdef", 9), "012345 ... def");
  const std::string Long = shortened(std::string(1'000'000, 'x'));
  EXPECT_LT(Long.size(), 1100u);
  // A character is kept whole or not at all.
  std::string Wide;
  for (int I = 0; I != 100; ++I)
    Wide += "\u6f22";
  const std::string Cut = shortened(Wide, 20);
  EXPECT_EQ(printable(Cut), Cut);
}
