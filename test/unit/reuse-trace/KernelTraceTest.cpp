//===- KernelTraceTest.cpp - Traces of small kernels ----------------------===//

#include "TraceTesting.h"

namespace warpwise::reuse::test {
namespace {

constexpr uint64_t FirstLine = BufferMemory::DeviceBase / LineBytes;

TEST_F(TraceTest, ACopyIsOneLineForEachWarp) {
  const auto Trace =
      launch(R"(
__global__ void kernel(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
})",
             [] {
               LaunchInput Input =
                   shape({2, 1, 1}, {64, 1, 1}, {pointer(1), pointer(0)});
               Input.Buffers = {buffer("in", 512, Buffer::Contents::Unknown),
                                buffer("out", 512, Buffer::Contents::Unknown)};
               return Input;
             }());
  ASSERT_TRUE(Trace) << Problem;
  const std::vector<WarpTrace> Warps = run(*Trace);
  ASSERT_EQ(Warps.size(), 4u);
  for (uint64_t W = 0; W != 4; ++W) {
    ASSERT_EQ(Warps[W].size(), 2u);
    const LineAccess &Load = Warps[W][0], &Store = Warps[W][1];
    EXPECT_EQ(Load.Line, FirstLine + W);
    EXPECT_EQ(Store.Line, FirstLine + 4 + W);
    EXPECT_EQ(Load.Sectors, 15);
    EXPECT_EQ(Load.What, LineAccess::Kind::Load);
    EXPECT_EQ(Store.What, LineAccess::Kind::Store);
    EXPECT_TRUE(Load.Last && Store.Last);
    EXPECT_FALSE(Load.Local);
    EXPECT_EQ(Trace->sites()[Load.Site].Line, 4u);
    EXPECT_EQ(Trace->sites()[Load.Site].Column, 12u);
    EXPECT_TRUE(Trace->sites()[Load.Site].File.ends_with(".cu"));
  }
  EXPECT_EQ(Trace->affineWarps(), 4u);
}

TEST_F(TraceTest, GuardsTakeLanesAway) {
  const std::vector<WarpTrace> Warps = runBothWays(
      R"(
__global__ void kernel(float *out, const float *in, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    out[y * n + x] = in[y * n + x - 1] + in[y * n + x + 1] +
                     in[(y - 1) * n + x] + in[(y + 1) * n + x];
})",
      shape({3, 9, 1}, {32, 8, 1}, {pointer(), pointer(), integer(70)}));
  const Totals Sum = total(Warps);
  // 68 rows inside, three warps wide, the last with 5 columns inside.
  EXPECT_EQ(Sum.Stores, 68u * 3);
  EXPECT_EQ(Sum.Loads, 68u * 3 * 4);
}

TEST_F(TraceTest, SumsAreKeptInRegisters) {
  const auto Trace =
      launch(R"(
__global__ void kernel(float *c, const float *a, const float *b, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
})",
             shape({2, 8, 1}, {32, 8, 1},
                   {pointer(), pointer(), pointer(), integer(64)}));
  ASSERT_TRUE(Trace) << Problem;
  const Totals Sum = total(run(*Trace));
  EXPECT_EQ(Sum.Loads, 128u * 64 * 2);
  EXPECT_EQ(Sum.LoadSectors, 128u * 64 * (1 + 4));
  EXPECT_EQ(Sum.Stores, 128u);
  EXPECT_EQ(Sum.StoreSectors, 128u * 4);
  EXPECT_EQ(Trace->affineWarps(), 128u);
}

TEST_F(TraceTest, SharedTilesLeaveBarriers) {
  const std::string Source = R"(
__global__ void kernel(float *out, const float *in, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
})";
  const LaunchInput Input =
      shape({2, 2, 1}, {32, 8, 1}, {pointer(), pointer(), integer(64)});
  const Totals Sum = total(runBothWays(Source, Input));
  EXPECT_EQ(Sum, (Totals{.Loads = 128,
                         .LoadSectors = 512,
                         .Stores = 128,
                         .StoreSectors = 512,
                         .Barriers = 32}));
  const auto Trace = launch(Source, Input);
  EXPECT_EQ(Trace->shape().SharedBytesPerBlock, 32u * 33 * 4);
}

TEST_F(TraceTest, DataDecideAGather) {
  const std::string Source = R"(
__global__ void kernel(float *out, const float *in, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
})";
  LaunchInput Input =
      shape({4, 1, 1}, {64, 1, 1}, {pointer(0), pointer(1), pointer(2)});
  Input.Buffers = {buffer("out", 1024, Buffer::Contents::Unknown),
                   buffer("in", 1024, Buffer::Contents::Unknown),
                   buffer("index", 1024, Buffer::Contents::Unknown)};
  EXPECT_FALSE(launch(Source, Input));
  EXPECT_NE(Problem.find("depend on the contents of 'index'"),
            std::string::npos)
      << Problem;
  EXPECT_NE(Problem.find("trace"), std::string::npos) << Problem;

  Input.Buffers[2].Initial = Buffer::Contents::Iota;
  EXPECT_EQ(total(runBothWays(Source, Input)).LoadSectors, 8u * (4 + 4));
  Input.Buffers[2].Initial = Buffer::Contents::Zeros;
  EXPECT_EQ(total(runBothWays(Source, Input)).LoadSectors, 8u * (4 + 1));
  Input.Buffers[2].Initial = Buffer::Contents::Random;
  const Totals Random = total(runBothWays(Source, Input));
  EXPECT_GT(Random.LoadSectors, 8u * (4 + 15));
  EXPECT_LT(Random.LoadSectors, 8u * (4 + 32));
}

TEST_F(TraceTest, WildIndicesReadZeros) {
  const std::string Source = R"(
__global__ void kernel(int *out, const int *index) {
  int i = threadIdx.x;
  out[index[i * 1000000000]] = 1;
})";
  LaunchInput Input = shape({1, 1, 1}, {32, 1, 1}, {pointer(0), pointer(1)});
  Input.Buffers = {buffer("out", 1024, Buffer::Contents::Unknown),
                   buffer("index", 1024, Buffer::Contents::Iota)};
  const auto Trace = launch(Source, Input);
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_EQ(total(run(*Trace)).StoreSectors, 1u);
}

TEST_F(TraceTest, IndexedPrivateArraysAreLocalMemory) {
  const std::string Source = R"(
__global__ void kernel(int *out, int n) {
  int own[64];
  for (int k = 0; k < n; k++)
    own[(k * 7 + n) % 64] = k;
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += own[(k * 5) % 64];
  out[threadIdx.x] = sum;
})";
  const auto Trace =
      launch(Source, shape({2, 1, 1}, {64, 1, 1}, {pointer(), integer(10)}));
  ASSERT_TRUE(Trace) << Problem;
  const std::vector<WarpTrace> Warps = run(*Trace);
  const Totals Sum = total(Warps);
  EXPECT_EQ(Sum.Local, 4u * 20);
  EXPECT_EQ(Sum.Loads, 4u * 10);
  EXPECT_EQ(Sum.Stores, 4u * 11);
  // The same word of all lanes is one line, in the frame that the trace of each
  // warp has at the same place.
  const uint64_t Frame = Trace->shape().LocalBytesPerWarp;
  EXPECT_GE(Frame, 32u * 64 * 4);
  EXPECT_EQ(Frame % LineBytes, 0u);
  for (const WarpTrace &Warp : Warps)
    for (const LineAccess &A : Warp)
      if (A.Local) {
        EXPECT_EQ(A.Sectors, 15);
        EXPECT_GE(A.Line, FirstLocalLine);
        EXPECT_LT(A.Line, FirstLocalLine + Frame / LineBytes);
      }
}

TEST_F(TraceTest, ArraysInRegistersAreNoMemory) {
  const std::string Source = R"(
__global__ void kernel(int *out, int n) {
  int own[64];
  for (int k = 0; k < n; k++)
    own[(k * 7 + n) % 64] = k;
  out[threadIdx.x] = own[n];
})";
  const LaunchInput Input =
      shape({2, 1, 1}, {64, 1, 1}, {pointer(), integer(10)});
  for (bool SideBySide : {false, true}) {
    const std::shared_ptr<KernelProgram> Program = compile(Source);
    ASSERT_TRUE(Program) << Problem;
    // As nvcc says of one whose loops it has written out.
    Program->setResources({.Registers = 40, .StackBytes = 0});
    LaunchInput Given = Input;
    Given.SideBySide = SideBySide;
    auto Trace = llvm::cantFail(KernelTrace::create(Program, Given));
    const Totals Sum = total(run(*Trace));
    EXPECT_EQ(Sum.Local, 0u);
    EXPECT_EQ(Sum.Stores, 4u);
    EXPECT_EQ(Trace->sites().size(), 1u);
    EXPECT_EQ(Trace->shape().RegistersPerThread, 40u);
  }
}

TEST_F(TraceTest, OnlyPrivateArraysAreWritten) {
  const auto Private = compile(R"(
__global__ void kernel(int *out, int n) {
  int own[64];
  for (int k = 0; k < n; k++)
    own[(k * 7 + n) % 64] = k;
  for (int k = 0; k < n; k++)
    out[own[(k * 5) % 64]] = k;
})");
  ASSERT_TRUE(Private) << Problem;
  EXPECT_FALSE(Private->NeedsOthers);
  EXPECT_FALSE(Private->WritesMemory);
  // Nobody knows that the pointer does not lead into the array.
  const auto Wild = compile(R"(
struct Lists { int *out[4]; };
__global__ void kernel(Lists lists, int n) {
  int own[64];
  for (int k = 0; k < n; k++)
    own[(k * 7 + n) % 64] = k;
  for (int k = 0; k < n; k++)
    lists.out[k % 4][own[(k * 5) % 64]] = k;
})");
  ASSERT_TRUE(Wild) << Problem;
  EXPECT_TRUE(Wild->WritesMemory);
}

TEST_F(TraceTest, ArraysInRegistersLeaveNothing) {
  const auto Trace =
      launch(R"(
__global__ void kernel(float *out, const float *in) {
  float own[4];
  for (int k = 0; k < 4; k++)
    own[k] = in[threadIdx.x + 32 * k];
  float sum = 0;
  for (int k = 0; k < 4; k++)
    sum += own[3 - k];
  out[threadIdx.x] = sum;
})",
             shape({1, 1, 1}, {32, 1, 1}, {pointer(), pointer()}));
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_EQ(
      total(run(*Trace)),
      (Totals{.Loads = 4, .LoadSectors = 16, .Stores = 1, .StoreSectors = 4}));
}

TEST_F(TraceTest, ExchangedIndicesMakeThreadsRunSideBySide) {
  const std::string Source = R"(
__global__ void kernel(int *out, const int *in) {
  __shared__ int index[64];
  index[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[index[63 - threadIdx.x] * 8] = 1;
})";
  LaunchInput Input = shape({2, 1, 1}, {64, 1, 1}, {pointer(0), pointer(1)});
  Input.Buffers = {buffer("out", 4096, Buffer::Contents::Unknown),
                   buffer("in", 256, Buffer::Contents::Unknown)};
  EXPECT_FALSE(launch(Source, Input));
  EXPECT_NE(Problem.find("contents of 'in'"), std::string::npos) << Problem;
  Input.Buffers[1].Initial = Buffer::Contents::Iota;
  const auto Trace = launch(Source, Input);
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_TRUE(Trace->runsSideBySide());
  const std::vector<WarpTrace> Warps = run(*Trace);
  EXPECT_EQ(total(Warps), (Totals{.Loads = 4,
                                  .LoadSectors = 16,
                                  .Stores = 4,
                                  .StoreSectors = 4 * 32,
                                  .Barriers = 4}));
  // Warp 0 writes what is indexed by 32 to 63.
  EXPECT_EQ(Warps[0][2].Line, FirstLine + 8);
}

TEST_F(TraceTest, ShufflesAreExchanged) {
  const auto Trace = launch(R"(
__global__ void kernel(int *out) {
  int first = __shfl_sync(0xffffffff, (int)threadIdx.x * 8, 5);
  out[first] = 1;
})",
                            shape({1, 1, 1}, {32, 1, 1}, {pointer()}));
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_TRUE(Trace->runsSideBySide());
  const std::vector<WarpTrace> Warps = run(*Trace);
  ASSERT_EQ(Warps[0].size(), 1u);
  EXPECT_EQ(Warps[0][0].Line, FirstLine + 1);
  EXPECT_EQ(Warps[0][0].Sectors, 2);
}

TEST_F(TraceTest, BlocksFindMemoryAsItWas) {
  LaunchInput Input = shape({4, 1, 1}, {32, 1, 1}, {pointer(0)});
  Input.Buffers = {buffer("flags", 128, Buffer::Contents::Zeros)};
  const auto Trace = launch(R"(
__global__ void kernel(int *flags) {
  if (flags[threadIdx.x] == 0)
    flags[threadIdx.x] = 1;
})",
                            Input);
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_TRUE(Trace->runsSideBySide());
  EXPECT_EQ(total(run(*Trace)).Stores, 4u);
  EXPECT_EQ(total(run(*Trace)).Stores, 4u);
}

TEST_F(TraceTest, AtomicsGoToL2) {
  const auto Trace =
      launch(R"(
__global__ void kernel(int *sum, const int *in) {
  atomicAdd(sum, in[threadIdx.x]);
})",
             shape({1, 1, 1}, {32, 1, 1}, {pointer(), pointer()}));
  ASSERT_TRUE(Trace) << Problem;
  EXPECT_FALSE(Trace->runsSideBySide());
  EXPECT_EQ(total(run(*Trace)).Atomics, 1u);
}

TEST_F(TraceTest, AFileGivesContents) {
  LaunchInput Input = shape({1, 1, 1}, {32, 1, 1}, {pointer(0), pointer(1)});
  Input.Buffers = {buffer("out", 4096, Buffer::Contents::Unknown),
                   buffer("index", 128, Buffer::Contents::File)};
  Input.Buffers[1].Path = "/no/such/file";
  EXPECT_FALSE(launch(R"(
__global__ void kernel(int *out, const int *index) {
  out[index[threadIdx.x]] = 1;
})",
                      Input));
  EXPECT_EQ(Problem, "cannot read '/no/such/file': No such file or directory");
}

TEST_F(TraceTest, NullPointersLeadToTheSameLinesInEachRun) {
  auto Trace = launch(R"(
extern "C" __global__ void kernel(long n) {
  *reinterpret_cast<int *>(n) = 1;
  *reinterpret_cast<int *>(n + 4 * threadIdx.x) = 2;
})",
                      shape({1, 1, 1}, {32, 1, 1}, {integer(1024)}));
  ASSERT_TRUE(Trace) << Problem;
  const WarpTrace Warp = run(*Trace).front();
  ASSERT_EQ(Warp.size(), 2u);
  for (const LineAccess &A : Warp)
    EXPECT_EQ(A.Line, 1024 / LineBytes);
}

} // namespace
} // namespace warpwise::reuse::test
