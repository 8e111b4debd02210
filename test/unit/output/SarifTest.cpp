//===- SarifTest.cpp - Findings as SARIF, and positions for them ----------===//

#include "analyzer/output/findings/Sarif.h"
#include "analyzer/output/findings/SourcePositions.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::output;

namespace {

std::string written(const FindingsReport &Report) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  writeFindingsAsSarif(Report, Out);
  return Text;
}

/// Why \p Text is no baseline.
std::string complaint(llvm::StringRef Text) {
  auto Known = readFingerprints(Text);
  return Known ? "" : llvm::toString(Known.takeError());
}

TEST(SourcePositions, ColumnsAreUtf16) {
  const SourcePositions Text("a\xC3\xBC\xF0\x9D\x84\x9E!\r\n\tx\n");
  EXPECT_EQ(Text.line(1), "a\xC3\xBC\xF0\x9D\x84\x9E!");
  EXPECT_EQ(Text.column(1, 1), 1u);
  EXPECT_EQ(Text.column(1, 2), 2u);   // ü
  EXPECT_EQ(Text.column(1, 4), 3u);   // the clef, two units
  EXPECT_EQ(Text.column(1, 8), 5u);   // !
  EXPECT_EQ(Text.column(2, 2), 2u);   // after a tab
  EXPECT_EQ(Text.column(7, 12), 12u); // no such line
  EXPECT_EQ(Text.position(7).Line, 1u);
  EXPECT_EQ(Text.position(7).Column, 5u);
  EXPECT_EQ(Text.position(11).Line, 2u);
  EXPECT_EQ(Text.position(11).Column, 2u);
  EXPECT_EQ(Text.position(999).Line, 3u);
}

TEST(Sarif, FilesOutsideOfTheFolderAreAbsolute) {
  FindingsReport Report;
  Report.WorkingDirectory = "/w";
  Report.Findings.resize(2);
  Report.Findings[0].Where = {"/w/a#1%.cu", 1, 1};
  Report.Findings[1].Where = {"/x/\xFF.cu", 1, 0};
  const std::string Text = written(Report);
  EXPECT_NE(Text.find("\"uri\": \"a%231%25.cu\""), std::string::npos) << Text;
  EXPECT_NE(Text.find("\"uri\": \"file:///x/%FF.cu\""), std::string::npos);
}

TEST(Sarif, BytesThatAreNoTextDoNoHarm) {
  FindingsReport Report;
  Report.Findings.resize(1);
  Report.Findings[0].Where = {"/a.cu", 1, 1};
  Report.Findings[0].Message = "\xFF";
  Report.Errors = {"\xFE"};
  EXPECT_TRUE(
      bool(llvm::expectedToOptional(llvm::json::parse(written(Report)))));
}

TEST(Sarif, FingerprintsComeBack) {
  FindingsReport Report;
  advice::Finding &F = Report.Findings.emplace_back();
  F.Where = {"/a.cu", 1, 1};
  F.Fingerprint = "0123456789abcdef:1";
  F.Also = {
      advice::AffectedAccess{{"/a.cu", 2, 1}, 0, 0, 1, "fedcba9876543210:3"}};
  auto Known = readFingerprints(written(Report));
  ASSERT_TRUE(bool(Known)) << llvm::toString(Known.takeError());
  EXPECT_EQ(*Known, (std::set<std::string>{"0123456789abcdef:1",
                                           "fedcba9876543210:3"}));
}

/// A document with one run of \p Tool.
std::string runOf(const std::string &Tool, const std::string &Rest) {
  return R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": ")" +
         Tool + "\"}}" + Rest + "}]}";
}

TEST(Sarif, WhatIsNoBaselineIsNamed) {
  EXPECT_EQ(complaint(runOf("Warpwise", R"(, "results": [])")), "");
  EXPECT_NE(complaint("{").find("it is no JSON: "), std::string::npos);
  EXPECT_EQ(complaint("[]"), "it is no SARIF 2.1.0");
  EXPECT_EQ(complaint(R"({"version": "2.0.0"})"), "it is no SARIF 2.1.0");
  EXPECT_EQ(complaint(R"({"version": "2.1.0"})"), "it has no 'runs'");
  EXPECT_EQ(complaint(runOf("other", R"(, "results": [])")),
            "no run in it is Warpwise's");
  EXPECT_EQ(complaint(runOf("Warpwise", "")), "a run in it has no 'results'");
  EXPECT_EQ(complaint(runOf("Warpwise", R"(, "results": [1])")),
            "a result in it is no object");
  EXPECT_EQ(complaint(std::string(5000, '[')), "it nests too deeply");
}

} // namespace
