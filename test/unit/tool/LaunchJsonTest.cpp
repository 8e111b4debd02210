//===- LaunchJsonTest.cpp -------------------------------------------------===//
//
// Every field of a launch survives the way through JSON.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/LaunchJson.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <limits>

using namespace warpwise::launch;

static bool equal(const Launch &A, const Launch &B) {
  return A.Mangled == B.Mangled && A.At == B.At && A.Block == B.Block &&
         A.Grid == B.Grid && A.BlockCertain == B.BlockCertain &&
         A.GridCertain == B.GridCertain &&
         A.DynamicSharedBytes == B.DynamicSharedBytes &&
         A.Arguments == B.Arguments && A.Count == B.Count;
}

static std::optional<Launch> throughText(const Launch &L) {
  std::string Text;
  llvm::raw_string_ostream(Text) << toJSON(L);
  llvm::Expected<Launch> Back = llvm::json::parse<Launch>(Text);
  if (!Back) {
    ADD_FAILURE() << llvm::toString(Back.takeError());
    return std::nullopt;
  }
  return *Back;
}

TEST(LaunchJson, AFullLaunchComesBack) {
  Launch L;
  L.Mangled = "_Z1kPfi";
  L.At = {"host.cu", 88};
  L.Block = Dim3{32, 8, 1};
  L.Grid = Dim3{4294967295u, 2, 3};
  L.BlockCertain = false;
  L.GridCertain = false;
  L.DynamicSharedBytes = 49152;
  L.Count = 7;
  Argument Number;
  Number.Integer = std::numeric_limits<int64_t>::min();
  Argument Real;
  Real.Real = 0.1;
  Real.Certain = false;
  Argument Pointer;
  Pointer.PointerOffset = -16;
  Argument Struct;
  Struct.Members = {{0, 4, 3}, {8, 8, -1, false, true}};
  L.Arguments = {Number, Real, Pointer, Struct, Argument()};

  std::optional<Launch> Back = throughText(L);
  ASSERT_TRUE(Back);
  EXPECT_TRUE(equal(*Back, L));
}

TEST(LaunchJson, WhatIsUnknownStaysUnknown) {
  std::optional<Launch> Back = throughText(Launch());
  ASSERT_TRUE(Back);
  EXPECT_TRUE(equal(*Back, Launch()));
}

TEST(LaunchJson, AnInfiniteArgumentBecomesUnknown) {
  Launch L;
  L.Arguments.emplace_back().Real = std::numeric_limits<double>::infinity();
  std::optional<Launch> Back = throughText(L);
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Arguments[0].Real, std::nullopt);
}

TEST(LaunchJson, ASizeHasThreeParts) {
  std::string Text;
  llvm::raw_string_ostream(Text) << toJSON(Launch());
  size_t At = Text.find("\"block\":null");
  ASSERT_NE(At, std::string::npos);
  Text.replace(At, 12, "\"block\":[1,2]");
  llvm::Expected<Launch> Back = llvm::json::parse<Launch>(Text);
  EXPECT_FALSE(bool(Back));
  llvm::consumeError(Back.takeError());
}
