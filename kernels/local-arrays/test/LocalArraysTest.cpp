//===- LocalArraysTest.cpp - Tests of the search and of nvcc's answers ----===//

#include "kernels/local-arrays/LocalArrays.h"
#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Session.h"
#include "kernels/local-arrays/Nvcc.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace warpwise::harness;

namespace {

ArrayLimits search(const ArrayLimits &Truth, unsigned &Calls) {
  const auto AreKept = [&](const std::vector<ArrayCandidate> &Candidates) {
    ++Calls;
    std::vector<bool> Kept;
    for (const ArrayCandidate &C : Candidates)
      Kept.push_back(C.Size <= Truth[size_t(C.Use)]);
    return Kept;
  };
  return findLimits(AreKept);
}

TEST(LocalArraysTest, FindsEveryLimitInFewCalls) {
  for (unsigned N = 0; N <= 160; ++N) {
    const ArrayLimits Truth = {N, N % 15, N % 65};
    unsigned Calls = 0;
    EXPECT_EQ(search(Truth, Calls), Truth);
    EXPECT_LE(Calls, 6u);
  }
}

TEST(LocalArraysTest, AMatrixHasTheSquareOfItsSize) {
  EXPECT_EQ(elements({ArrayUse::MatrixMultiplication, 6}), 36u);
  EXPECT_EQ(elements({ArrayUse::VectorAddition, 73}), 73u);
}

TEST(LocalArraysTest, SourceNamesTheKernelAndItsSize) {
  const std::string Source = kernelSource({ArrayUse::Sorting, 12});
  EXPECT_NE(Source.find("void sorting_12("), Source.npos);
  EXPECT_NE(Source.find("float Sorted[12];"), Source.npos);
}

TEST(NvccTest, ReadsStackFrames) {
  const auto Frames = stackFrames(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'sorting_8' for 'sm_90'\n"
      "ptxas info    : Function properties for sorting_8\n"
      "    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 32 registers, 32 bytes cumulative stack size\n"
      "ptxas info    : Compiling entry function 'sorting_2' for 'sm_90'\n"
      "ptxas info    : Function properties for sorting_2\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");
  EXPECT_EQ(Frames, (std::map<std::string, unsigned>{{"sorting_8", 32},
                                                     {"sorting_2", 0}}));
  EXPECT_TRUE(stackFrames("").empty());
  EXPECT_TRUE(stackFrames("12 bytes stack frame").empty());
}

TEST(NvccTest, ReadsArchitectures) {
  EXPECT_EQ(architecturesIn("compute_75\ncompute_120\ncompute_90\n"),
            (std::vector<unsigned>{75, 90, 120}));
  EXPECT_TRUE(architecturesIn("nvcc fatal: unknown option\n").empty());
}

// Needs nvcc but no GPU.
TEST(LocalArraysTest, MeasuresWithoutAGpu) {
  try {
    Nvcc Compiler;
  } catch (const Skip &Reason) {
    GTEST_SKIP() << Reason.what();
  }
  Session S({}, {});
  std::ranges::find(benchmarks(), "local-arrays", &Benchmark::Name)->Run(S);
  // One loop is the simplest pattern (Fang et al., Table 3). How the other two
  // compare depends on the architecture.
  const double Vector = S.need(paths::local_arrays_vector_addition);
  EXPECT_GT(Vector, S.need(paths::local_arrays_matrix_multiplication));
  EXPECT_GT(Vector, S.need(paths::local_arrays_sorting));
  EXPECT_LT(Vector, 255);
}

} // namespace
