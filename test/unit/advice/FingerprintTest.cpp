//===- FingerprintTest.cpp - Findings recognised in later runs ------------===//

#include "analyzer/advice/Fingerprint.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::advice;

namespace {

Finding at(unsigned Line, std::string Rule = "cuda-memory-x") {
  Finding F;
  F.Where = {"/w/a.cu", Line, 3};
  F.Rule = std::move(Rule);
  return F;
}

/// The fingerprints of findings at \p Lines of \p Text.
std::vector<std::string> printsOf(const std::string &Text,
                                  const std::vector<unsigned> &Lines) {
  std::vector<Finding> Findings;
  for (const unsigned Line : Lines)
    Findings.push_back(at(Line));
  setFingerprints(
      Findings, [&](const std::string &) { return std::optional(Text); },
      [](const std::string &) { return std::string("a.cu"); });
  std::vector<std::string> Prints;
  for (const Finding &F : Findings)
    Prints.push_back(F.Fingerprint);
  return Prints;
}

TEST(Fingerprint, MovesWithItsLine) {
  EXPECT_EQ(printsOf("x = a[i];\n", {1}), printsOf("\n\n  x = a[i];\r\n", {3}));
  EXPECT_NE(printsOf("x = a[i];\n", {1}), printsOf("x = b[i];\n", {1}));
}

TEST(Fingerprint, EqualLinesAreNumbered) {
  const auto Prints = printsOf("x\ny\nx\n", {3, 1, 2});
  EXPECT_TRUE(Prints[1].ends_with(":1"));
  EXPECT_TRUE(Prints[0].ends_with(":2"));
  EXPECT_EQ(Prints[0].substr(0, 16), Prints[1].substr(0, 16));
  EXPECT_TRUE(Prints[2].ends_with(":1"));
  EXPECT_NE(Prints[0].substr(0, 16), Prints[2].substr(0, 16));
}

TEST(Fingerprint, IsTheSameForEver) {
  // A change would make every baseline worthless.
  EXPECT_EQ(printsOf("x = a[i];\n", {1})[0], "41190582753a7514:1");
}

TEST(Fingerprint, RulesAtOnePlaceDiffer) {
  std::vector<Finding> Findings = {at(1), at(1, "cuda-memory-y")};
  setFingerprints(Findings, nullptr,
                  [](const std::string &Path) { return Path; });
  EXPECT_NE(Findings[0].Fingerprint, Findings[1].Fingerprint);
}

TEST(Fingerprint, AKnownFindingWithANewPlaceStays) {
  std::vector<Finding> Findings = {at(1), at(2), at(3)};
  Findings[0].Fingerprint = "a";
  Findings[0].Also = {AffectedAccess{{"/w/a.cu", 8, 1}, 0, 0, 1, "b"}};
  Findings[1].Fingerprint = "b";
  Findings[1].Also = {AffectedAccess{{"/w/a.cu", 9, 1}, 0, 0, 1, "new"}};
  Findings[2].Fingerprint = "c";
  EXPECT_EQ(removeKnown(Findings, {"a", "b"}), 1u);
  ASSERT_EQ(Findings.size(), 2u);
  EXPECT_EQ(Findings[0].Fingerprint, "b");
  EXPECT_EQ(Findings[1].Fingerprint, "c");
}

} // namespace
