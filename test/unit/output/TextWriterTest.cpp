//===- TextWriterTest.cpp - Findings as compiler warnings -----------------===//

#include "analyzer/output/findings/Text.h"

#include "analyzer/output/Paths.h"
#include "analyzer/output/findings/Summary.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::advice;
using output::FindingsReport;

namespace {

const char *const Source = "int a;\n\tfloat x = tile[i];\nfoo();\n";

Finding bankConflict() {
  Finding F;
  F.Where = {"/home/me/k.cu", 2, 12};
  F.Message = "shared load is a 32-way bank conflict";
  F.Rule = "cuda-memory-bank-conflict";
  return F;
}

std::string write(const Finding &F, FindingsReport Options = {}) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Options.Findings = {F};
  output::writeFindingsAsText(Options, Out);
  return Text;
}

FindingsReport withSource(const char *Text = Source) {
  FindingsReport Options;
  Options.WorkingDirectory = "/home/me";
  Options.Source = [Text](const std::string &Path) {
    return Path == "/home/me/k.cu" ? std::optional<std::string>(Text)
                                   : std::nullopt;
  };
  return Options;
}

TEST(TextWriter, LooksLikeClang) {
  EXPECT_EQ(write(bankConflict(), withSource()),
            "k.cu:2:12: warning: shared load is a 32-way bank conflict "
            "[cuda-memory-bank-conflict]\n"
            "    2 |         float x = tile[i];\n"
            "      |                   ^\n");
}

TEST(TextWriter, NotesShowOtherPlacesOnly) {
  Finding F = bankConflict();
  F.Notes = {{F.Where, "block is 32x8"},
             {{"/home/me/k.cu", 3, 1}, "called from here"},
             {F.Where, "pad the row"},
             {{}, "no place"}};
  FindingsReport Options = withSource();
  Options.Explain = true;
  EXPECT_EQ(write(F, Options),
            "k.cu:2:12: warning: shared load is a 32-way bank conflict "
            "[cuda-memory-bank-conflict]\n"
            "    2 |         float x = tile[i];\n"
            "      |                   ^\n"
            "k.cu:2:12: note: block is 32x8\n"
            "k.cu:3:1: note: called from here\n"
            "    3 | foo();\n"
            "      | ^\n"
            "k.cu:2:12: note: pad the row\n"
            "note: no place\n");
}

TEST(TextWriter, FourLinesByDefault) {
  Finding F = bankConflict();
  F.Notes = {{{"/home/me/k.cu", 3, 1}, "called from here"},
             {F.Where, "lanes are 128 bytes apart"},
             {F.Where, "block is 32x8"}};
  F.Remedy = "pad the row";
  F.Also = {{{"/home/me/k.cu", 3, 1}, 1, 0, 1}};
  F.ExtraCycles = 31;
  F.Faster = price::Gain{2, 1.5, 2.5, "L2", 12};
  EXPECT_EQ(write(F, withSource()),
            "k.cu:2:12: warning: shared load is a 32-way bank conflict; about "
            "2.00x faster [1.50, 2.50] when repaired "
            "[cuda-memory-bank-conflict]\n"
            "    2 |         float x = tile[i];\n"
            "      |                   ^\n"
            "k.cu:2:12: note: lanes are 128 bytes apart\n"
            "k.cu:2:12: note: pad the row; the same at 3:1\n");
  FindingsReport Options;
  Options.Explain = true;
  Options.Gpu = "GPU";
  const std::string Text = write(F, Options);
  EXPECT_NE(Text.find("note: the kernel takes about 12 us, bound by L2\n"),
            std::string::npos);
  EXPECT_NE(Text.find("note: about 31 cycles more per request of a warp on "
                      "GPU\n"),
            std::string::npos);
}

TEST(TextWriter, InstancesAreTheLastNote) {
  Finding F = bankConflict();
  F.Kernel = "k<2>";
  F.Instances = 2;
  F.Judged = 3;
  FindingsReport Options;
  Options.Explain = true;
  EXPECT_NE(write(F, Options)
                .find("note: in 2 of 3 instantiations, costliest in k<2>\n"),
            std::string::npos);
}

TEST(TextWriter, WithoutSourceOnlyTheLine) {
  EXPECT_EQ(write(bankConflict()),
            "/home/me/k.cu:2:12: warning: shared load is a 32-way bank "
            "conflict [cuda-memory-bank-conflict]\n");
}

TEST(TextWriter, ALineBeyondTheFileIsNotShown) {
  Finding F = bankConflict();
  F.Where.Line = 99;
  const std::string Text = write(F, withSource());
  EXPECT_EQ(std::count(Text.begin(), Text.end(), '\n'), 1);
}

TEST(TextWriter, CharactersOfSeveralBytesTakeOneColumn) {
  Finding F = bankConflict();
  F.Where.Line = 1;
  F.Where.Column = 7; // behind two letters of two bytes each and two spaces
  EXPECT_NE(write(F, withSource("\u00e4 \u00fc x")).find("      |     ^\n"),
            std::string::npos);
}

TEST(TextWriter, ControlCharactersAreEscaped) {
  Finding F = bankConflict();
  F.Where = {"/home/me/k.cu", 1, 8};
  F.Message = "load of '\x1b[31m'";
  EXPECT_EQ(write(F, withSource("a\t\x1b[2Jx = y;\n")),
            "k.cu:1:8: warning: load of '\\x1b[31m' "
            "[cuda-memory-bank-conflict]\n"
            "    1 | a       \\x1b[2Jx = y;\n"
            "      |                 ^\n");
  F.Where.File = "/home/me/\n.cu";
  EXPECT_EQ(write(F), "/home/me/\\n.cu:1:8: warning: load of '\\x1b[31m' "
                      "[cuda-memory-bank-conflict]\n");
}

TEST(TextWriter, OfALongLineOnlyThePlaceIsShown) {
  Finding F = bankConflict();
  const std::string Line =
      std::string(1000, 'a') + "here" + std::string(1000, 'b') + "\n";
  F.Where = {"/home/me/k.cu", 1, 1001};
  const std::string Text = write(F, withSource(Line.c_str()));
  EXPECT_EQ(Text.substr(Text.find('\n') + 1),
            "    1 | ... " + std::string(150, 'a') + "here" +
                std::string(146, 'b') + " ...\n      |     " +
                std::string(150, ' ') + "^\n");
}

TEST(TextWriter, ColoursAreThoseOfClang) {
  FindingsReport Options;
  Options.Color = true;
  const std::string Text = write(bankConflict(), Options);
  EXPECT_NE(Text.find("\033[1;35mwarning: \033[0m"), std::string::npos);
  EXPECT_EQ(write(bankConflict()).find('\033'), std::string::npos);
}

TEST(ShortenPath, OnlyBelowTheFolder) {
  EXPECT_EQ(output::shortenPath("/a/b/k.cu", "/a"), "b/k.cu");
  EXPECT_EQ(output::shortenPath("/a/b/k.cu", "/a/"), "b/k.cu");
  EXPECT_EQ(output::shortenPath("/ab/k.cu", "/a"), "/ab/k.cu");
  EXPECT_EQ(output::shortenPath("k.cu", "/a"), "k.cu");
  EXPECT_EQ(output::shortenPath("/a/k.cu", ""), "/a/k.cu");
  EXPECT_EQ(output::shortenPath("/a/k.cu", "/"), "a/k.cu");
}

TEST(SummaryLine, CountsWhatMatters) {
  EXPECT_EQ(output::summaryLine({.Warnings = 1, .Kernels = 1}),
            "1 warning in 1 kernel");
  EXPECT_EQ(output::summaryLine({.Kernels = 2, .Accesses = 1, .Judged = 1}),
            "0 warnings in 2 kernels, 1 of 1 access judged");
  EXPECT_EQ(output::summaryLine(
                {.Suppressed = 1, .Kernels = 2, .Accesses = 7, .Judged = 5}),
            "0 warnings in 2 kernels, 5 of 7 accesses judged (1 suppressed by "
            "NOLINT)");
  EXPECT_EQ(output::summaryLine({.Kernels = 3}), "0 warnings in 3 kernels");
  EXPECT_EQ(output::summaryLine({.Warnings = 2, .Remarks = 1, .Kernels = 3}),
            "2 warnings and 1 remark in 3 kernels");
  EXPECT_EQ(
      output::summaryLine(
          {.Warnings = 5, .Suppressed = 2, .Kernels = 12, .SkippedKernels = 1}),
      "5 warnings in 12 kernels (2 suppressed by NOLINT, 1 kernel not "
      "analysed)");
}

advice::KernelSummary kernel(const char *Name, double Nanoseconds,
                             double Wasted) {
  advice::KernelSummary K;
  K.Name = std::string("void ") + Name + "(float*)";
  K.BoundBy = "L2";
  K.Nanoseconds = Nanoseconds;
  K.IsWhole = Nanoseconds > 0;
  K.Wasted = Wasted;
  return K;
}

Finding findingIn(const char *Kernel) {
  Finding F = bankConflict();
  F.Kernel = std::string("void ") + Kernel + "(float*)";
  F.FoundIn = {F.Kernel};
  return F;
}

TEST(KernelTable, WhatLosesMostTimeIsFirst) {
  FindingsReport Report;
  Report.Kernels = {kernel("brief", 1e3, 0.9), kernel("clean", 9e9, 0),
                    kernel("slow", 1e6, 0.1)};
  Report.Findings = {findingIn("brief"), findingIn("slow"), findingIn("slow")};
  const auto Table = output::kernelTable(Report);
  ASSERT_EQ(Table.size(), 3u);
  EXPECT_EQ(Table[1].find("slow "), 0u);
  EXPECT_NE(Table[1].find("1 ms"), std::string::npos);
  EXPECT_NE(Table[1].find("10 %"), std::string::npos);
  EXPECT_EQ(Table[2].find("brief "), 0u);
}

TEST(KernelTable, WithoutTimesTheShareDecides) {
  FindingsReport Report;
  Report.Kernels = {kernel("slow", 1e6, 0.1), kernel("open", 0, 0.5)};
  Report.Findings = {findingIn("open"), findingIn("slow")};
  const auto Table = output::kernelTable(Report);
  ASSERT_EQ(Table.size(), 3u);
  EXPECT_EQ(Table[1].find("open "), 0u);
}

TEST(Costliest, OnlyWhereThereAreMany) {
  FindingsReport Report;
  Report.Findings = std::vector<Finding>(3, bankConflict());
  EXPECT_TRUE(output::costliest(Report).empty());
  Report.Findings.resize(12, bankConflict());
  Report.Findings.back().Where.Line = 99;
  Report.Findings.back().Faster = price::Gain{3, 2, 4, "L2", {}};
  const auto Lines = output::costliest(Report);
  ASSERT_EQ(Lines.size(), 10u);
  EXPECT_NE(Lines[0].find("3.00x  /home/me/k.cu:99: "), std::string::npos);
}

TEST(LaunchLine, SaysWhatWasAssumed) {
  advice::KernelSummary Known, Assumed;
  Known.Launches = 2;
  EXPECT_EQ(output::launchLine({}), "");
  EXPECT_EQ(output::launchLine({Known, Known}),
            "the block shape of 2 kernels is known");
  EXPECT_EQ(output::launchLine({Known, Assumed}),
            "the block shape of 1 kernel is known, that of 1 kernel was "
            "assumed (--block says it)");
}

} // namespace
