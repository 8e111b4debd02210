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
  F.Worst.emplace();
  F.Worst->Memory = access::Space::Shared;
  F.Worst->Op = access::Operation::Atomic;
  F.Worst->Bytes = 8;
  F.Worst->Lanes.ActiveMask = 0xFFFF0001;
  F.Worst->Lanes.Offsets[31] = 1l << 40;
  F.Worst->Lanes.Stride = -8;
  F.Worst->Lanes.Warp = 3;
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

TEST(FindingJson, ALaneIsMissing) {
  llvm::json::Value V = toJSON(fullFinding());
  auto *Request = V.getAsObject()->getObject("worst_request");
  Request->getArray("offsets")->pop_back();
  Finding F;
  llvm::json::Path::Root Root("finding");
  EXPECT_FALSE(fromJSON(V, F, Root));
  EXPECT_NE(llvm::toString(Root.getError()).find("worst_request.offsets"),
            std::string::npos);
}

TEST(FindingJson, KernelsThereAndBack) {
  KernelSummary K;
  K.Name = "k(float*)";
  K.Where = {"k.cu", 3, 0};
  K.Nanoseconds = 7;
  LaunchSummary &Known = K.Shapes.emplace_back();
  Known.Shape.Block = {32, 8, 1};
  Known.Shape.Grid = {4096, 1, 2};
  Known.Shape.DynamicSharedBytes = 49152;
  Known.Shape.Source = launch::ShapeSource::Launch;
  Known.Shape.At = {"host.cu", 88, 0};
  Known.Shape.When = "n is 1";
  Known.BoundBy = "L2";
  Known.Wasted = 0.25;
  K.Shapes.emplace_back();
  KernelSummary Read;
  llvm::json::Path::Root Root("kernel");
  ASSERT_TRUE(fromJSON(toJSON(K), Read, Root))
      << llvm::toString(Root.getError());
  EXPECT_EQ(Read, K);
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
