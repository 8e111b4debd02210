//===- TraceErrorsTest.cpp - What cannot be traced ------------------------===//

#include "TraceTesting.h"

namespace warpwise::reuse::test {
namespace {

TEST_F(TraceTest, AnUnknownArgumentIsNamed) {
  const std::string Source = R"(
__global__ void kernel(float *out, int width, float factor) {
  out[threadIdx.x * width] = factor;
})";
  EXPECT_FALSE(launch(Source, shape({1, 1, 1}, {32, 1, 1}, {pointer()})));
  EXPECT_EQ(Problem, "kernel 'kernel': the value of argument 'width' is not "
                     "known; give it with --arg width=...");
  // What decides no address may stay unknown.
  EXPECT_TRUE(
      launch(Source, shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(4)})));
}

TEST_F(TraceTest, ALoopWithoutAnEndIsFound) {
  const auto Trace =
      launch(R"(
__global__ void kernel(int *out, int step) {
  for (unsigned i = 0; i < 100; i += step)
    out[i] = 1;
})",
             shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(0)}));
  ASSERT_TRUE(Trace) << Problem;
  BlockTrace Block;
  ASSERT_EQ(Trace->block(0, Block), "");
  ASSERT_EQ(Block.Rest.size(), 1u);
  WarpTrace Next;
  EXPECT_EQ(Block.Rest[0]->next(Next),
            "kernel 'kernel': a thread makes more accesses than can be traced, "
            "or a loop has no end");
}

TEST_F(TraceTest, RecursionIsNotModelled) {
  EXPECT_FALSE(launch(R"(
__device__ int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }
__global__ void kernel(int *out, int n) { out[depth(n)] = 1; })",
                      shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(3)})));
  EXPECT_NE(Problem.find("'depth(int)', which is not modelled"),
            std::string::npos)
      << Problem;
}

TEST_F(TraceTest, RecursionThatStoresIsNotModelled) {
  EXPECT_FALSE(launch(R"(
__device__ void fill(int *out, int n) {
  out[n] = n;
  if (n > 1) { fill(out, n - 1); fill(out, n - 2); }
}
__global__ void kernel(int *out, int n) { fill(out, n); })",
                      shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(3)})));
  EXPECT_NE(Problem.find("'fill(int*, int)', which calls itself"),
            std::string::npos)
      << Problem;
}

TEST_F(TraceTest, AnUnknownCallIsNamed) {
  EXPECT_FALSE(launch(R"(
extern "C" __device__ int elsewhere();
__global__ void kernel(int *out) { out[elsewhere()] = 1; })",
                      shape({1, 1, 1}, {32, 1, 1}, {pointer()})));
  EXPECT_EQ(Problem, "kernel 'kernel': addresses depend on a call of "
                     "'elsewhere', which is not modelled");
}

TEST_F(TraceTest, PointersInMemoryAreNotModelled) {
  LaunchInput Input = shape({1, 1, 1}, {32, 1, 1}, {pointer(0)});
  Input.Buffers = {buffer("rows", 1024, Buffer::Contents::Zeros)};
  EXPECT_FALSE(launch(R"(
__global__ void kernel(int **rows) { rows[0][rows[1][threadIdx.x]] = 1; })",
                      Input));
  EXPECT_NE(Problem.find("memory that no argument points to"),
            std::string::npos)
      << Problem;
}

TEST_F(TraceTest, ConstantsThatTheHostSetsAreAskedFor) {
  const std::string Source = R"(
__constant__ int table[32];
__global__ void kernel(int *out) { out[table[threadIdx.x]] = 1; })";
  LaunchInput Input = shape({1, 1, 1}, {32, 1, 1}, {pointer()});
  EXPECT_FALSE(launch(Source, Input));
  EXPECT_NE(Problem.find("contents of the variable 'table'"), std::string::npos)
      << Problem;
  Input.Buffers = {buffer("table", 128, Buffer::Contents::Iota)};
  const auto Trace = launch(Source, Input);
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_EQ(total(run(*Trace)).StoreSectors, 4u);
}

TEST_F(TraceTest, ShapesHaveLimits) {
  const std::string Source = "__global__ void kernel(int *out) { *out = 1; }";
  EXPECT_FALSE(launch(Source, shape({1, 1, 1}, {32, 64, 1}, {pointer()})));
  EXPECT_EQ(Problem,
            "kernel 'kernel': a block has 1 to 1024 threads, not 2048");
  EXPECT_FALSE(launch(Source, shape({0, 1, 1}, {32, 1, 1}, {pointer()})));
  EXPECT_EQ(Problem, "kernel 'kernel': there is no such grid");
}

TEST_F(TraceTest, MembersOfStructs) {
  const std::string Source = R"(
struct Matrix { float *data; int width, height; };
__global__ void kernel(Matrix m) { m.data[threadIdx.x * m.width] = 1; })";
  LaunchInput Input = shape({1, 1, 1}, {32, 1, 1}, {KernelArgument()});
  EXPECT_FALSE(launch(Source, Input));
  EXPECT_EQ(Problem, "kernel 'kernel': addresses depend on the members of "
                     "argument 'm', which are not known");
  Input.Arguments[0].Value.Members = {{8, 4, 8}};
  const auto Trace = launch(Source, Input);
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_EQ(total(run(*Trace)).StoreSectors, 32u);
}

} // namespace
} // namespace warpwise::reuse::test
