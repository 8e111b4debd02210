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
         A.GridCertain == B.GridCertain && A.BlockAxes == B.BlockAxes &&
         A.BlockMost == B.BlockMost && A.GridMost == B.GridMost &&
         A.GridFrom == B.GridFrom && A.NoMultipleOf == B.NoMultipleOf &&
         A.IsDead == B.IsDead && A.DynamicSharedBytes == B.DynamicSharedBytes &&
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
  L.BlockAxes = {32, 0, 1};
  L.BlockMost = {0, 64, 0};
  L.GridMost = {80, 0, 1};
  L.GridFrom[1] = FromArgument{2, 3, -4, 5};
  L.NoMultipleOf = 4;
  L.IsDead = true;
  Argument Number;
  Number.Integer = std::numeric_limits<int64_t>::min();
  Argument Real;
  Real.Real = 0.1;
  Real.Certain = false;
  Argument Pointer;
  Pointer.PointerOffset = -16;
  Pointer.TableBytes = 12;
  Pointer.AllocationBytes = uint64_t(1) << 40;
  Argument Struct;
  Struct.Members = {{0, 4, 3}, {8, 8, -1, false, true}};
  L.Arguments = {Number, Real, Pointer, Struct, Argument()};

  std::optional<Launch> Back = throughText(L);
  ASSERT_TRUE(Back);
  EXPECT_TRUE(equal(*Back, L));
}

TEST(LaunchJson, WhatMemoryHoldsComesBack) {
  const auto Table = std::make_shared<Contents>();
  Table->What = Contents::Kind::Bytes;
  Table->ElementBytes = 1;
  Table->Elements = 4;
  Table->Data = std::string("\0\x7f\xff\n", 4);
  Table->IsLikely = true;
  const auto Numbers = std::make_shared<Contents>();
  Numbers->What = Contents::Kind::Random;
  Numbers->Below = 100;
  Numbers->Seed = 5;
  Launch L;
  L.Arguments.resize(4);
  L.Arguments[0].Holds = L.Arguments[2].Holds = Table;
  L.Arguments[1].Holds = Numbers;
  std::optional<Launch> Back = throughText(L);
  ASSERT_TRUE(Back);
  std::vector<Launch> All = {*Back, *Back};
  shareContents(All);
  const std::vector<Argument> &A = All[1].Arguments;
  ASSERT_TRUE(A[0].Holds && A[1].Holds);
  EXPECT_EQ(*A[0].Holds, *Table);
  EXPECT_EQ(*A[1].Holds, *Numbers);
  EXPECT_EQ(A[0].Holds, A[2].Holds) << "equal contents are one object";
  EXPECT_EQ(A[0].Holds, All[0].Arguments[0].Holds);
  EXPECT_FALSE(A[3].Holds);
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
