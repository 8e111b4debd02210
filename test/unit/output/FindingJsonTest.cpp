//===- FindingJsonTest.cpp - warpwise-findings/1 there and back -----------===//

#include "analyzer/output/FindingJson.h"

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

std::string write(const std::vector<Finding> &Findings) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  output::writeFindings({"nvidia-h100", "NVIDIA H100", "literature", 4},
                        Findings, Out);
  return Text;
}

std::string errorOf(llvm::StringRef Document) {
  auto Read = output::readFindings(Document);
  return Read ? "" : llvm::toString(Read.takeError());
}

TEST(FindingJson, RoundTrip) {
  const std::vector<Finding> Findings = {fullFinding(), Finding()};
  auto Read = output::readFindings(write(Findings));
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(*Read, Findings);
}

TEST(FindingJson, TheHeadSaysWhichProfileAndHowManyAreSilenced) {
  auto Document = llvm::json::parse(write({}));
  ASSERT_TRUE(bool(Document));
  const auto *Top = Document->getAsObject();
  EXPECT_EQ(Top->getString("schema"), "warpwise-findings/1");
  EXPECT_EQ(Top->getObject("profile")->getString("name"), "nvidia-h100");
  EXPECT_EQ(Top->getInteger("suppressed"), 4);
  EXPECT_TRUE(Top->getArray("findings")->empty());
}

TEST(FindingJson, AForeignDocumentIsNamed) {
  EXPECT_EQ(errorOf(R"({"schema": "warpwise-accesses/1"})"),
            "not a document of findings: its schema is 'warpwise-accesses/1', "
            "expected 'warpwise-findings/1'");
  EXPECT_NE(errorOf("[]"), "");
  EXPECT_NE(errorOf("{"), "");
}

TEST(FindingJson, TheMemberAtFaultIsNamed) {
  std::string Text = write({fullFinding()});
  const std::string Proof = "\"bounded\"";
  Text.replace(Text.find(Proof), Proof.size(), "\"likely\"");
  EXPECT_NE(errorOf(Text).find("findings[0].proof"), std::string::npos)
      << errorOf(Text);
}

TEST(FindingJson, AMissingMemberIsAnError) {
  auto V = toJSON(fullFinding());
  V.getAsObject()->erase("extra_bytes");
  Finding F;
  llvm::json::Path::Root Root("finding");
  EXPECT_FALSE(fromJSON(V, F, Root));
}

} // namespace
