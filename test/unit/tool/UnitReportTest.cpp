//===- UnitReportTest.cpp -------------------------------------------------===//
//
// The message between processes, and what of an analysis goes into it.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/UnitReport.h"

#include "gtest/gtest.h"

using namespace warpwise;
using namespace warpwise::tool;

TEST(UnitReport, EverythingComesBack) {
  UnitReport Report;
  Report.Payload = llvm::json::Array({1, "two"});
  Report.Kernels = {"_Z1a", "_Z1b"};
  Report.KernelFiles = {"f.cu", "f.cuh"};
  Report.KernelsWithoutLaunch = {"_Z1b"};
  Report.Launches.emplace_back().Mangled = "_Z1a";
  Report.Missing = {{"c", true, true, {"f.cu", 3, 4}, "undeclared 'x'"}};
  Report.HostErrors = 2;
  Report.FirstHostError = "f.cu:1:2: no";
  Report.MissingHeaders = {"a.h"};
  Report.Files = {"f.cu", "f.cuh"};
  Report.SystemFiles = {"/usr/include/math.h"};
  Report.UnusedTemplates = {{"n::scale", {"f.cu", 5, 6}}};

  UnitReport Back = readReport(writeReport(Report));
  EXPECT_EQ(Back.Failure, "");
  EXPECT_EQ(Back.Payload, Report.Payload);
  EXPECT_EQ(Back.Kernels, Report.Kernels);
  EXPECT_EQ(Back.KernelFiles, Report.KernelFiles);
  EXPECT_EQ(Back.KernelsWithoutLaunch, Report.KernelsWithoutLaunch);
  ASSERT_EQ(Back.Launches.size(), 1u);
  EXPECT_EQ(Back.Launches[0].Mangled, "_Z1a");
  EXPECT_EQ(Back.Missing, Report.Missing);
  EXPECT_EQ(Back.HostErrors, 2u);
  EXPECT_EQ(Back.FirstHostError, Report.FirstHostError);
  EXPECT_EQ(Back.MissingHeaders, Report.MissingHeaders);
  EXPECT_EQ(Back.Files, Report.Files);
  EXPECT_EQ(Back.SystemFiles, Report.SystemFiles);
  ASSERT_EQ(Back.UnusedTemplates.size(), 1u);
  EXPECT_EQ(Back.UnusedTemplates[0].Name, "n::scale");
  EXPECT_EQ(Back.UnusedTemplates[0].Where, (access::Place{"f.cu", 5, 6}));
}

TEST(UnitReport, ATextThatIsNoReportIsAFailure) {
  for (const char *Text : {"", "[]", "{}", "{\"failure\": \"\""})
    EXPECT_NE(readReport(Text).Failure, "") << Text;
}

TEST(UnitReport, ADroppedKernelIsNamedOnceWithItsError) {
  pipeline::AnalyzeResult Result;
  access::Place Kernel{"f.cu", 3, 17}, Error{"f.cu", 4, 5};
  Result.Dropped.push_back(
      {"broken", "_Z6broken", true, Kernel, {Error, "undeclared 'x'"}});
  access::Kernel &Skipped = Result.Result.Kernels.emplace_back();
  Skipped.Mangled = "_Z6broken";
  Skipped.State = access::Status::Skipped;
  access::Kernel &Clean = Result.Result.Kernels.emplace_back();
  Clean.Mangled = "_Z5clean";

  UnitReport Report = makeReport(Result);
  ASSERT_EQ(Report.Missing.size(), 1u);
  EXPECT_EQ(Report.Missing[0],
            (LeftOut{"broken", true, true, Error, "undeclared 'x'"}));
  EXPECT_EQ(Report.Kernels, std::vector<std::string>{"_Z5clean"});
}

TEST(UnitReport, AnErrorInAHeaderIsQuotedWithItsPlace) {
  pipeline::AnalyzeResult Result;
  access::Place Kernel{"f.cu", 3, 17}, Error{"f.cuh", 4, 5};
  Result.Dropped.push_back({"k", "", true, Kernel, {Error, "no"}});
  UnitReport Report = makeReport(Result);
  ASSERT_EQ(Report.Missing.size(), 1u);
  EXPECT_EQ(Report.Missing[0].Where, Kernel);
  EXPECT_EQ(Report.Missing[0].Cause, "f.cuh:4:5: no");
}

TEST(UnitReport, AKernelBeyondTheAnalysisIsNoErrorOfTheUser) {
  pipeline::AnalyzeResult Result;
  access::Kernel &Skipped = Result.Result.Kernels.emplace_back();
  Skipped.Name = "large";
  Skipped.State = access::Status::Skipped;
  Skipped.Reason = "too large";
  UnitReport Report = makeReport(Result);
  ASSERT_EQ(Report.Missing.size(), 1u);
  EXPECT_FALSE(Report.Missing[0].IsError);
  EXPECT_EQ(Report.Missing[0].Cause, "too large");
}
