//===- ExpandCallsTest.cpp - Accesses that are calls or assembly ----------===//

#include "TraceTesting.h"

#include "analyzer/lowering/PtxStatement.h"

namespace warpwise::reuse::test {
namespace {

using namespace lowering;

/// Requests that pass L1 by.
unsigned pastL1(const std::vector<WarpTrace> &Warps) {
  unsigned Count = 0;
  for (const WarpTrace &Warp : Warps)
    for (const LineAccess &A : Warp)
      Count += A.PastL1 && A.Last;
  return Count;
}

TEST(PtxStatement, IsTakenApart) {
  const std::string Text = withoutComments(
      "{ .reg .pred p; // a comment; with ld.global\n"
      "again: setp.ne.b32 p, $2, 0;\n"
      "@!p ld.global.nc.v2.f32 {$0, $1}, [$3+8]; /* st */ bra again; }");
  const auto Statements = ptxStatements(Text);
  ASSERT_EQ(Statements.size(), 5u);
  EXPECT_EQ(Statements[1].Opcode, "label");
  EXPECT_EQ(Statements[2].Operands.size(), 3u);
  const PtxStatement &Load = Statements[3];
  EXPECT_EQ(Load.Guard, "p");
  EXPECT_TRUE(Load.GuardNegated);
  EXPECT_EQ(Load.Operands[0], "{$0, $1}");
  EXPECT_TRUE(mayAccessGlobal(Load));
  EXPECT_EQ(typeOf(Load).Bits, 32u);
  EXPECT_EQ(typeOf(Load).Count, 2u);
  EXPECT_EQ(Statements[4].Opcode, "bra");
}

TEST(PtxStatement, KnowsWhatReachesGlobalMemory) {
  const auto reaches = [](const char *Text) {
    return mayAccessGlobal(ptxStatements(Text).front());
  };
  EXPECT_TRUE(reaches("ld.f32 $0, [$1]"));
  EXPECT_TRUE(reaches("cp.async.ca.shared::cta.global [$0], [$1], 4"));
  EXPECT_TRUE(reaches("cp.async.bulk.global.shared::cta [$0], [$1], 16"));
  EXPECT_TRUE(reaches("tex.2d.v4.f32.s32 {$0,$1,$2,$3}, [$4, {$5,$6}]"));
  EXPECT_FALSE(reaches("cp.async.wait_group 0"));
  EXPECT_FALSE(reaches("st.shared.b32 [$0], $1"));
  EXPECT_FALSE(reaches("mma.sync.aligned.m16n8k8.row.col.f32 {$0}, {$1}"));
  EXPECT_FALSE(reaches("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0}, [$1]"));
}

TEST_F(TraceTest, AsynchronousCopiesLoad) {
  const std::string Source = R"(
__global__ void kernel(float *out, const float *in) {
  __shared__ float tile[512];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(tile + 4 * t);
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n"
               :: "r"(to), "l"(in + 4 * t), "n"(16) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, 4;\n"
               :: "r"(to), "l"(in + t));
  asm volatile("cp.async.wait_all;\n" ::: "memory");
  __syncthreads();
  out[t] = tile[t];
})";
  const std::vector<WarpTrace> Warps =
      runBothWays(Source, shape({1, 1, 1}, {64, 1, 1}, {pointer(), pointer()}));
  const Totals Sum = total(Warps);
  EXPECT_EQ(Sum.Loads, 4u);
  EXPECT_EQ(Sum.LoadSectors, 2u * (16 + 4));
  EXPECT_EQ(Sum.Stores, 2u);
  EXPECT_EQ(pastL1(Warps), 2u);
}

TEST_F(TraceTest, GuardedAssembly) {
  const std::vector<WarpTrace> Warps = runBothWays(
      R"(
__global__ void kernel(float *out, const float *in, int n) {
  int t = threadIdx.x;
  float x, y;
  asm volatile("{ .reg .pred p;\n setp.ne.b32 p, %3, 0;\n mov.b32 %0, 0;\n"
               " mov.b32 %1, 0;\n @p ld.global.nc.v2.f32 {%0, %1}, [%2+8];\n}"
               : "=f"(x), "=f"(y) : "l"(in + 2 * t), "r"((int)(t < n)));
  asm volatile("st.global.cs.f32 [%0], %1;" :: "l"(out + t), "f"(x + y));
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(out), "f"(x));
})",
      shape({1, 1, 1}, {64, 1, 1}, {pointer(), pointer(), integer(32)}));
  const Totals Sum = total(Warps);
  EXPECT_EQ(Sum.Loads, 1u);
  EXPECT_EQ(Sum.LoadSectors, 9u);
  EXPECT_EQ(Sum.StoreSectors, 8u);
  EXPECT_EQ(Sum.Atomics, 2u);
  EXPECT_EQ(pastL1(Warps), 0u);
}

TEST_F(TraceTest, AssemblyInSharedMemoryDecidesAddresses) {
  const auto Trace = launch(R"(
__global__ void kernel(float *out) {
  __shared__ int index[32];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(index) + 4 * (31 - t);
  asm volatile("st.shared.u32 [%0], %1;" :: "r"(at), "r"(t * 8));
  __syncthreads();
  out[index[t]] = 1;
})",
                            shape({1, 1, 1}, {32, 1, 1}, {pointer()}));
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_TRUE(Trace->runsSideBySide());
  EXPECT_EQ(total(run(*Trace)).StoreSectors, 32u);
  EXPECT_EQ(Trace->doubt(), "");
}

TEST_F(TraceTest, SharedAddressesInRegistersAreNumbers) {
  const auto Trace =
      launch(R"(
__global__ void kernel(float *out, int rounds) {
  __shared__ __align__(256) int index[64];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(index) + 4 * t;
  for (int i = 0; i < rounds; ++i) {
    asm volatile("st.shared.u32 [%0], %1;" :: "r"(at), "r"(t * 8));
    at ^= 128;
  }
  __syncthreads();
  out[index[31 - t] + index[63 - t]] = 1;
})",
             shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(2)}));
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_TRUE(Trace->runsSideBySide());
  EXPECT_EQ(total(run(*Trace)).StoreSectors, 32u);
}

TEST_F(TraceTest, WhatIsNotUnderstoodIsNamed) {
  EXPECT_FALSE(launch(R"(
__global__ void kernel(float *out, unsigned from) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 64;"
               :: "l"(out), "r"(from));
})",
                      shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(0)})));
  EXPECT_EQ(Problem,
            "kernel 'kernel': the accesses of inline assembly "
            "'cp.async.bulk.global.shared::cta.bulk_group' are not modelled");
  EXPECT_FALSE(launch(R"(
__device__ void elsewhere(float *);
__global__ void kernel(float *out) { elsewhere(out); })",
                      shape({1, 1, 1}, {32, 1, 1}, {pointer()})));
  EXPECT_EQ(Problem, "kernel 'kernel': the accesses of a call of "
                     "'elsewhere(float*)' are not modelled");
}

TEST_F(TraceTest, LoadsThatOthersWriteToPassL1By) {
  const std::vector<WarpTrace> Warps = runBothWays(
      R"(
__global__ void kernel(float *out, volatile float *in, const float4 *more) {
  int t = threadIdx.x;
  float4 m = __ldcg(more + t);
  out[t] = in[t] + m.x + __ldcs(out + t + 64);
})",
      shape({1, 1, 1}, {32, 1, 1}, {pointer(), pointer(), pointer()}));
  EXPECT_EQ(total(Warps).LoadSectors, 4u + 16 + 4);
  EXPECT_EQ(pastL1(Warps), 2u);
}

TEST_F(TraceTest, MatrixFragmentsInGlobalMemory) {
  const std::vector<WarpTrace> Warps = runBothWays(
      R"(
#include <mma.h>
using namespace nvcuda;
__global__ void kernel(float *out, const half *a, const half *b) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(x, a, 64);
  wmma::load_matrix_sync(y, b, 64);
  wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(out, sum, 64, wmma::mem_row_major);
})",
      shape({1, 1, 1}, {32, 1, 1}, {pointer(), pointer(), pointer()}));
  // Four 8x8 blocks of halves and four of floats, 16 and 32 bytes a row.
  const Totals Sum = total(Warps);
  EXPECT_EQ(Sum.Loads, 8u);
  EXPECT_EQ(Sum.LoadSectors, 64u);
  EXPECT_EQ(Sum.StoreSectors, 32u);
}

TEST_F(TraceTest, WaitingEnds) {
  const std::vector<WarpTrace> Warps = runBothWays(
      R"(
__global__ void kernel(int *out, volatile int *flag, unsigned *lock) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {}
  if (threadIdx.x == 0)
    while (flag[1] == 0) {}
  __syncthreads();
  out[threadIdx.x] = 1;
})",
      shape({1, 1, 1}, {32, 1, 1}, {pointer(), pointer(), pointer()}));
  const Totals Sum = total(Warps);
  EXPECT_EQ(Sum.Loads, 1u);
  EXPECT_EQ(Sum.Atomics, 1u);
  EXPECT_EQ(Sum.StoreSectors, 4u);
}

TEST_F(TraceTest, CountersOfTheKernelsOwnBeginAtZero) {
  const auto Trace = launch(R"(
__device__ unsigned arrived = 0;
__global__ void kernel(int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0)
    last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (last)
    out[threadIdx.x] = 1;
})",
                            shape({1, 1, 1}, {32, 1, 1}, {pointer()}));
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_NE(Trace->doubt().find("'arrived'"), std::string::npos)
      << Trace->doubt();
  EXPECT_EQ(total(run(*Trace)).StoreSectors, 4u);
}

} // namespace
} // namespace warpwise::reuse::test
