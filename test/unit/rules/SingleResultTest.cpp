//===- SingleResultTest.cpp -----------------------------------------------===//

#include "Literals.h"

#include <gtest/gtest.h>

#include <utility>

using namespace warpwise;
using namespace warpwise::test;
using access::Operation;
using access::Space;

namespace {

constexpr std::string_view SingleResult = "cuda-memory-single-result";

/// Of the launch.
constexpr double WindowBlocks = 1 << 18, WindowWarps = WindowBlocks * 8;

/// A window of nine loads of a tile, each of its own, and one store.
access::Kernel windows() {
  auto C = sharedCost(1, 4);
  C.Weight = WindowWarps;
  C.PerWarp = 1;
  std::vector<access::Access> All;
  for (unsigned N = 0; N != 9; ++N) {
    C.LoadedBeside = {0, N < 6 ? 1.0 : 0.0, 0};
    auto Load = accessTo(Space::Shared, 4, {C});
    Load.Object = "Tile";
    All.push_back(Load);
  }
  auto Stored = globalCost(4, 4, 4);
  Stored.Weight = WindowWarps;
  Stored.PerWarp = 1;
  auto Store = accessTo(Space::Global, 4, {Stored});
  Store.Op = Operation::Store;
  Store.Object = "Out";
  All.push_back(Store);
  access::Kernel K = kernelWith(All);
  K.Launches[0].Grid = {{1 << 9, 1 << 9, 1}};
  access::Work W;
  W.Blocks = WindowBlocks;
  W.IsWholeGrid = true;
  W.BlockThreads = 256;
  W.SharedBytes = 1024;
  W.Issued[unsigned(access::Pipe::Memory)] = 10 * WindowWarps;
  K.Works = {W};
  return K;
}

std::vector<advice::Finding> judgedWindows(const access::Kernel &K) {
  return run(SingleResult, K, *profile::builtin("nvidia-h100"));
}

TEST(SingleResult, TheNextThreadLoadsItAgain) {
  const auto Found = judgedWindows(windows());
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "a thread loads 9 elements of 'Tile' for one result, and the next "
            "one along y loads 6 of them again");
  EXPECT_NE(Found[0].Remedy.find("4.5 loads for each are left"),
            std::string::npos);
  ASSERT_TRUE(Found[0].Faster);
  EXPECT_GT(Found[0].Faster->Factor, 1.1);
}

TEST(SingleResult, LittleComesAgain) {
  auto K = windows();
  for (unsigned N = 0; N != 4; ++N) // two of nine are left
    K.Accesses[N].PerLaunch[0].LoadedBeside = {};
  EXPECT_TRUE(judgedWindows(K).empty());
}

TEST(SingleResult, ThreadsHaveSeveralResults) {
  auto K = windows();
  K.Accesses.back().PerLaunch[0].Weight *= 2;
  EXPECT_TRUE(judgedWindows(K).empty());
}

TEST(SingleResult, FewThreadsHaveAResult) {
  auto K = windows();
  K.Accesses.back().PerLaunch[0].Weight /= 8;
  EXPECT_TRUE(judgedWindows(K).empty());
}

TEST(SingleResult, LanesAreNoColumn) {
  auto K = windows();
  for (access::Access &A : K.Accesses)
    std::swap(A.PerLaunch[0].LoadedBeside[0], A.PerLaunch[0].LoadedBeside[1]);
  EXPECT_TRUE(judgedWindows(K).empty());
}

TEST(SingleResult, ALoopLoadsMore) {
  auto K = windows();
  K.Accesses[8].LoopDepth = 1;
  EXPECT_TRUE(judgedWindows(K).empty());
  K.Accesses[8].IsWrittenOut = true;
  EXPECT_EQ(judgedWindows(K).size(), 1u);
}

TEST(SingleResult, NoBlocksToJoin) {
  auto K = windows();
  K.Launches[0].Grid = {{1 << 18, 1, 1}};
  EXPECT_TRUE(judgedWindows(K).empty());
}

} // namespace
