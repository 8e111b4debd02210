//===- FindingJsonTest.cpp - warpwise-findings/1 there and back -----------===//

#include "analyzer/output/findings/Json.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::advice;

namespace {

Finding fullFinding() {
  Finding F;
  F.Where = {"src/a \"b\".cu", 41, 18};
  F.Message = "shared load is a 32-way bank conflict";
  F.Rule = "cuda-memory-bank-conflict";
  F.Guidelines = {"S_1"};
  F.Notes = {{{"h.cu", 8, 3}, "called from 'main' here"}, {{}, "no place"}};
  F.Kernel = "k<float, 32>(float *)";
  F.Object = "tile";
  F.State = access::Proof::Bounded;
  F.ExtraCycles = 62.93;
  F.ExtraCyclesLow = 60.1;
  F.ExtraCyclesHigh = 1.0 / 3;
  F.ExtraBytes = 896;
  F.Weight = 32;
  F.Instances = 2;
  F.Judged = 3;
  F.FoundIn = {"k<1>", "k<2>"};
  F.CleanIn = {"k<3>"};
  F.CalledFrom = {{}, {{"h.cu", 8, 3}, {"i.cu", 9, 4}}};
  return F;
}

llvm::json::Value documentOf(const std::vector<Finding> &Findings) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  output::FindingsReport Report;
  Report.Findings = Findings;
  Report.Suppressed = 4;
  Report.Profile = "nvidia-h100";
  Report.Gpu = "NVIDIA H100";
  Report.Origin = "literature";
  output::writeFindingsAsJson(Report, Out);
  return llvm::cantFail(llvm::json::parse(Text));
}

TEST(FindingJson, RoundTrip) {
  const std::vector<Finding> Findings = {fullFinding(), Finding()};
  const llvm::json::Value Document = documentOf(Findings);
  std::vector<Finding> Read;
  llvm::json::Path::Root Root("findings");
  ASSERT_TRUE(fromJSON(*Document.getAsObject()->get("findings"), Read, Root))
      << llvm::toString(Root.getError());
  EXPECT_EQ(Read, Findings);
}

TEST(FindingJson, TheHeadSaysWhichProfileAndHowManyAreSilenced) {
  const llvm::json::Value Document = documentOf({});
  const auto *Top = Document.getAsObject();
  EXPECT_EQ(Top->getString("schema"), "warpwise-findings/1");
  EXPECT_EQ(Top->getObject("profile")->getString("name"), "nvidia-h100");
  EXPECT_EQ(Top->getInteger("suppressed"), 4);
  EXPECT_TRUE(Top->getArray("findings")->empty());
}

TEST(FindingJson, TheMemberAtFaultIsNamed) {
  llvm::json::Value V = toJSON(fullFinding());
  (*V.getAsObject())["proof"] = "likely";
  Finding F;
  llvm::json::Path::Root Root("finding");
  EXPECT_FALSE(fromJSON(V, F, Root));
  EXPECT_NE(llvm::toString(Root.getError()).find("proof"), std::string::npos);
}

TEST(FindingJson, AMissingMemberIsAnError) {
  auto V = toJSON(fullFinding());
  V.getAsObject()->erase("extra_bytes");
  Finding F;
  llvm::json::Path::Root Root("finding");
  EXPECT_FALSE(fromJSON(V, F, Root));
}

} // namespace
