//===- AccessJsonTest.cpp - warpwise-accesses/1 ---------------------------===//

#include "analyzer/output/accesses/AccessJson.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::access;

namespace {

Model oneSharedLoad() {
  Cost C;
  C.State = Proof::Bounded;
  C.Reason = "the pitch is not known";
  C.ActiveLanes = 32;
  C.Wavefronts = 16;
  C.IdealWavefronts = 1;
  C.Low = 2;
  C.High = 32;
  Access A;
  A.Where = {"k.cu", 41, 18};
  A.Memory = Space::Shared;
  A.Bytes = 4;
  A.Object = "tile";
  A.Trips = 32;
  A.PerLaunch = {C};
  Kernel K;
  K.Name = "k(float*)";
  K.Mangled = "_Z1kPf";
  K.Where = {"k.cu", 12, 1};
  K.State = Status::Recovered;
  K.Reason = "host code did not compile";
  K.Launches = {
      {{32, 8, 1}, {}, 1024, launch::ShapeSource::Launch, {"h.cu", 88}, ""}};
  K.Accesses = {A};
  K.NotModelled = {{{"k.cu", 50, 3}, "a texture fetch"}};
  K.Instructions = {7, 2, 1};
  return {"k.cu",
          "nvidia-h200",
          {K},
          {{}, {"bytes of a line: 128 (levels.l1.line has no value)"}}};
}

std::string write(const Model &M) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  output::writeAccesses(M, {}, Out);
  return Text;
}

TEST(WriteAccesses, FollowsTheSchema) {
  auto Expected = llvm::json::parse(R"json({
    "schema": "warpwise-accesses/1", "file": "k.cu", "profile": "nvidia-h200",
    "law": {"lanes": 32, "sector_bytes": 32, "line_bytes": 128, "banks": 32,
            "bank_bytes": 4, "pass_bytes": 128,
            "assumed": ["bytes of a line: 128 (levels.l1.line has no value)"]},
    "kernels": [{
      "name": "k(float*)", "mangled": "_Z1kPf", "file": "k.cu", "line": 12,
      "status": "recovered", "reason": "host code did not compile",
      "launches": [{"block": [32, 8, 1], "grid": null,
                    "dynamic_shared_bytes": 1024, "source": "launch",
                    "at": "h.cu:88", "when": null, "time": null}],
      "not_modelled": [{"file": "k.cu", "line": 50, "column": 3,
                        "reason": "a texture fetch"}],
      "memory_instructions": {"written": 7, "lowered": 2, "modelled": 1},
      "accesses": [{
        "file": "k.cu", "line": 41, "column": 18, "space": "shared",
        "op": "load", "bytes": 4, "object": "tile", "trips": 32,
        "per_launch": [{"launch": 0, "proof": "bounded",
          "reason": "the pitch is not known", "active_lanes": 32,
          "sectors": null, "ideal_sectors": null, "wavefronts": 16,
          "ideal_wavefronts": 1, "words": null, "low": 2, "high": 32}]}]}]})json");
  auto Written = llvm::json::parse(write(oneSharedLoad()));
  ASSERT_TRUE(bool(Expected));
  ASSERT_TRUE(bool(Written));
  EXPECT_EQ(*Written, *Expected);
}

TEST(WriteAccesses, WhatIsNotKnownIsNull) {
  Model M = oneSharedLoad();
  Access &A = M.Kernels[0].Accesses[0];
  A.Trips.reset();
  A.PerLaunch[0] = Cost();
  const std::string Text = write(M);
  EXPECT_NE(Text.find("\"trips\": null"), std::string::npos);
  EXPECT_NE(Text.find("\"wavefronts\": null"), std::string::npos);
  EXPECT_NE(Text.find("\"low\": null"), std::string::npos);
  EXPECT_NE(Text.find("\"proof\": \"unknown\""), std::string::npos);
}

/// What has no likely number has no part in what its statement wastes.
TEST(WriteAccesses, ANumberIsHeldAgainstItsOwnIdeal) {
  Model M = oneSharedLoad();
  Access &Known = M.Kernels[0].Accesses[0];
  Known.Memory = Space::Global;
  Cost &C = Known.PerLaunch[0];
  C.State = Proof::Estimated;
  C.Sectors = 5;
  C.IdealSectors = 4;
  C.Weight = 1;
  Access Other = Known;
  Other.PerLaunch[0].Sectors.reset();
  M.Kernels[0].Accesses.push_back(Other);
  const std::string Text = write(M);
  EXPECT_NE(Text.find("\"sectors\": 5,\n"), std::string::npos);
  EXPECT_NE(Text.find("\"ideal_sectors\": 4,\n"), std::string::npos);
}

TEST(WriteAccesses, GridIsAListWhenKnown) {
  Model M = oneSharedLoad();
  M.Kernels[0].Launches[0].Grid = {64, 2, 1};
  auto Written = llvm::json::parse(write(M));
  ASSERT_TRUE(bool(Written));
  const auto &Launch = *(*Written->getAsObject()->getArray("kernels"))[0]
                            .getAsObject()
                            ->getArray("launches")
                            ->front()
                            .getAsObject();
  EXPECT_EQ(*Launch.get("grid"), llvm::json::Value({64, 2, 1}));
}

TEST(Names, AreThoseOfTheSchema) {
  EXPECT_EQ(output::nameOf(Proof::DataDependent), "data-dependent");
  EXPECT_EQ(output::nameOf(Operation::Atomic), "atomic");
  EXPECT_EQ(output::nameOf(Space::Generic), "generic");
  EXPECT_EQ(output::nameOf(launch::ShapeSource::Bounds), "bounds");
  EXPECT_EQ(output::nameOf(Status::Skipped), "skipped");
}

} // namespace
