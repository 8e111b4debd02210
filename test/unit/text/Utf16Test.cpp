//===- Utf16Test.cpp - Lengths in units of UTF-16 -------------------------===//

#include "analyzer/text/Utf16.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpwise::text;

TEST(Utf16Test, CountsUnits) {
  EXPECT_EQ(utf16Units(""), 0u);
  EXPECT_EQ(utf16Units("abc"), 3u);
  EXPECT_EQ(utf16Units("\xC3\xA4"), 1u);         // an umlaut
  EXPECT_EQ(utf16Units("\xE2\x82\xAC"), 1u);     // the euro sign
  EXPECT_EQ(utf16Units("\xF0\x9F\x98\x80"), 2u); // beyond 16 bits
}

// As the table of "maximal subparts" in the Unicode standard, chapter 3, has
// it.
TEST(Utf16Test, CountsWhatIsNoUtf8AsItIsReplaced) {
  EXPECT_EQ(utf16Units("\xFF"), 1u);
  EXPECT_EQ(utf16Units("\x80\x80"), 2u);
  EXPECT_EQ(utf16Units("\xC3z"), 2u);            // cut short
  EXPECT_EQ(utf16Units("\xF0\x9F"), 1u);         // by the end
  EXPECT_EQ(utf16Units("\xC0\xAF"), 2u);         // longer than needed
  EXPECT_EQ(utf16Units("\xED\xA0\x80"), 3u);     // half a surrogate pair
  EXPECT_EQ(utf16Units("\xF4\x91\x92\x93"), 4u); // there is none
  EXPECT_EQ(utf16Units("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), 5u);
}

TEST(Utf16Test, FindsTheByteOfAUnit) {
  const llvm::StringRef Text = "a\xF0\x9F\x98\x80\xFFz";
  EXPECT_EQ(bytesBefore(Text, 0), 0u);
  EXPECT_EQ(bytesBefore(Text, 1), 1u);
  EXPECT_EQ(bytesBefore(Text, 2), 5u);
  EXPECT_EQ(bytesBefore(Text, 3), 5u);
  EXPECT_EQ(bytesBefore(Text, 4), 6u);
  EXPECT_EQ(bytesBefore(Text, 99), 7u);
}

TEST(Utf16Test, AgreesWithLlvm) {
  std::mt19937 Random(7);
  // Bytes at which the rules change.
  const llvm::StringRef Bytes = "az\x80\x8F\x90\x9F\xA0\xBF\xC0\xC2\xE0\xE2"
                                "\xED\xEF\xF0\xF1\xF4\xF5\xFF";
  for (unsigned Round = 0; Round != 20'000; ++Round) {
    std::string Text;
    for (unsigned N = Random() % 8; N != 0; --N)
      Text += Bytes[Random() % Bytes.size()];
    const std::string Replaced = llvm::json::fixUTF8(Text);
    ASSERT_EQ(utf16Units(Text), utf16Units(Replaced)) << "round " << Round;
  }
}
