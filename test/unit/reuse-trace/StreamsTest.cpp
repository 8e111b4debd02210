//===- StreamsTest.cpp - Traces piece by piece against whole ones ---------===//

#include "TraceTesting.h"

#include <sys/resource.h>

namespace warpwise::reuse::test {
namespace {

/// Every warp is cut into pieces, each of which ends in the middle of loops.
TraceLimits smallPieces() {
  TraceLimits Limits;
  Limits.WholeEntries = 0;
  Limits.RowEntries = 7;
  Limits.LaneEntries = 3;
  return Limits;
}

struct StreamCase {
  const char *Name, *Body;
};

void PrintTo(const StreamCase &C, std::ostream *Out) { *Out << C.Name; }

const StreamCase StreamCases[] = {
    {"Straight", "out[i] = in[i];"},
    {"Rows", "for (int k = 0; k < n; k++) out[i] += in[k * n + i];"},
    {"Columns", "for (int k = 0; k < n; k++) out[i] += in[i * n + k];"},
    {"Nested", "for (int k = 0; k < 9; k++) for (int l = 0; l < k; l++)"
               " out[k * n + i] += in[l * n + i];"},
    {"Triangle", "for (int k = i; k < n; k++) for (int l = 0; l < n; l++)"
                 " out[k * n + i] += in[l * n + i] * in[l * n + k];"},
    {"OtherTriangle", "for (int k = 0; k <= i; k++) out[i] += in[k * n + i];"},
    {"PartsLate", "for (int k = 0; k < n; k++) out[i] += in[k * n + i];"
                  "if (i % 3 == 1) for (int k = 0; k < n; k++)"
                  " out[k] += in[k * n - i]; out[i] = 1;"},
    {"Divergent", "for (int k = 0; k < n; k++) if ((k * i) % 5 < 2) out[k] ="
                  " in[i * i % 97]; else out[2 * k + i] = 1;"},
    {"Broken", "for (int k = 0; k < n; k++) { if (k * 3 == i) break; out[k] ="
               " in[i]; } out[i] = 7;"},
    {"Clamped", "for (int k = 0; k < n; k++) out[i] += in[min(i + k, n)];"},
    {"Left", "if (i > 20) return; for (int k = 0; k < n; k++) { out[k * i] ="
             " 1; __syncthreads(); }"},
    {"Private", "int own[16]; for (int k = 0; k < 16; k++) own[k] = k * k % n;"
                " for (int k = 0; k < n; k++) out[own[k % 16] * 32 + i] = k;"},
    {"Gather", "for (int k = 0; k < n; k++) out[index[k * 32 + i]] = k;"},
};

class StreamsTest : public TraceTest,
                    public testing::WithParamInterface<StreamCase> {};

/// All warps of all blocks at once, a piece of each in turn.
std::vector<WarpTrace> runInTurns(KernelTrace &Trace) {
  std::vector<WarpTrace> Warps;
  std::vector<std::unique_ptr<WarpStream>> Streams;
  for (uint64_t B = 0; B != Trace.shape().blocks(); ++B) {
    BlockTrace Block;
    EXPECT_EQ(Trace.block(B, Block), "");
    Block.Rest.resize(Block.Warps.size());
    for (unsigned W = 0; W != Block.Warps.size(); ++W) {
      EXPECT_FALSE(Block.Warps[W].empty() && Block.Rest[W]);
      Warps.push_back(std::move(Block.Warps[W]));
      Streams.push_back(std::move(Block.Rest[W]));
    }
  }
  WarpTrace Piece;
  for (bool Alive = true; Alive;) {
    Alive = false;
    for (size_t W = 0; W != Streams.size(); ++W) {
      if (!Streams[W])
        continue;
      EXPECT_EQ(Streams[W]->next(Piece), "");
      Warps[W].insert(Warps[W].end(), Piece.begin(), Piece.end());
      if (!Piece.empty()) {
        EXPECT_TRUE(Piece.back().Last);
        Alive = true;
        continue;
      }
      // The end stays the end.
      EXPECT_EQ(Streams[W]->next(Piece), "");
      EXPECT_TRUE(Piece.empty());
      Streams[W] = nullptr;
    }
  }
  return Warps;
}

TEST_P(StreamsTest, AreTheWholeTrace) {
  const std::shared_ptr<KernelProgram> Program =
      compile(std::string("__global__ void kernel(int *out, const int *in, int "
                          "n, const int *index) {\n"
                          "int i = (blockIdx.x * blockDim.y + threadIdx.y) * "
                          "blockDim.x + threadIdx.x;\n") +
              GetParam().Body + "\n}\n");
  ASSERT_TRUE(Program) << Problem;
  for (const std::array<uint32_t, 3> &Block :
       std::vector<std::array<uint32_t, 3>>{
           {32, 1, 1}, {50, 1, 1}, {16, 4, 1}, {2, 9, 1}, {20, 3, 1}}) {
    SCOPED_TRACE(Block[0]);
    LaunchInput Input = shape(
        {2, 1, 1}, Block, {pointer(0), pointer(0), integer(40), pointer(1)});
    Input.Buffers = {buffer("data", 1 << 20, Buffer::Contents::Unknown),
                     buffer("index", 1 << 16, Buffer::Contents::Random)};
    const auto Whole = cantFail(KernelTrace::create(Program, Input));
    const std::vector<WarpTrace> Expected = run(*Whole);
    Input.Limits = smallPieces();
    const auto Pieces = cantFail(KernelTrace::create(Program, Input));
    const std::vector<WarpTrace> Actual = runInTurns(*Pieces);
    ASSERT_EQ(Actual.size(), Expected.size());
    for (size_t W = 0; W != Actual.size(); ++W)
      EXPECT_TRUE(Actual[W] == Expected[W]) << "warp " << W;
    EXPECT_EQ(Pieces->affineWarps(), Whole->affineWarps());
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, StreamsTest, testing::ValuesIn(StreamCases),
                         [](const auto &Info) { return Info.param.Name; });

uint64_t peakKilobytes() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return uint64_t(Usage.ru_maxrss);
}

TEST_F(TraceTest, LongKernelsFitIntoMemory) {
  const auto Trace = launch(
      R"(
__global__ void kernel(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = i; k < n; k++)
    for (int l = 0; l < n; l++)
      out[k] += in[l * n + i] * in[l * n + k];
})",
      shape({2, 1, 1}, {1024, 1, 1}, {pointer(), pointer(), integer(2048)}));
  ASSERT_TRUE(Trace) << Problem;
  const uint64_t Before = peakKilobytes();
  BlockTrace Block;
  ASSERT_EQ(Trace->block(0, Block), "");
  ASSERT_EQ(Block.Rest.size(), 32u);
  // Some pieces of 32 warps, of which each would make up to 12 million loads.
  WarpTrace Piece;
  uint64_t Accesses = 0;
  for (unsigned Turn = 0; Turn != 20; ++Turn)
    for (unsigned W = 0; W != 32; ++W) {
      ASSERT_TRUE(Block.Rest[W]);
      ASSERT_EQ(Block.Rest[W]->next(Piece), "");
      EXPECT_LE(Piece.size(), 10'000u);
      Accesses += Piece.size();
    }
  EXPECT_GT(Accesses, 500'000u);
  EXPECT_LT(peakKilobytes() - Before, 16u << 10);
}

TEST_F(TraceTest, EndlessStreamsEnd) {
  const std::shared_ptr<KernelProgram> Program = compile(R"(
__global__ void kernel(int *out, unsigned step, int n) {
  for (int k = 0; k < n; k++)
    out[k] = 1;
  for (unsigned i = 0; i != 1; i += step)
    if (threadIdx.x + i == 33)
      out[i] = 1;
})");
  ASSERT_TRUE(Program) << Problem;
  // With a step of 0 nothing changes; else it goes on without an access.
  for (unsigned Step : {0, 2}) {
    LaunchInput Input =
        shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(Step), integer(5000)});
    Input.Limits.WholeEntries = 1000;
    Input.Limits.MostIdle = 100'000;
    const auto Trace = cantFail(KernelTrace::create(Program, Input));
    BlockTrace Block;
    ASSERT_EQ(Trace->block(0, Block), "");
    ASSERT_EQ(Block.Rest.size(), 1u);
    WarpTrace Piece;
    std::string Wrong;
    for (unsigned N = 0; N != 1000 && Wrong.empty(); ++N) {
      Wrong = Block.Rest[0]->next(Piece);
      ASSERT_EQ(Piece.empty(), !Wrong.empty());
    }
    EXPECT_EQ(Wrong, "kernel 'kernel': a thread makes more accesses than can "
                     "be traced, or a loop has no end");
  }
}

TEST_F(TraceTest, StreamsHaveALimit) {
  LaunchInput Input = shape({1, 1, 1}, {32, 1, 1}, {pointer(), integer(2)});
  Input.Limits.MostEntries = 100'000;
  const auto Trace = launch(R"(
__global__ void kernel(int *out, unsigned step) {
  for (unsigned i = 0; i != 1; i += step)
    out[i] = 1;
})",
                            Input);
  ASSERT_TRUE(Trace) << Problem;
  BlockTrace Block;
  ASSERT_EQ(Trace->block(0, Block), "");
  WarpTrace Piece;
  std::string Wrong;
  unsigned Pieces = 0;
  for (; Pieces != 1000 && Wrong.empty(); ++Pieces)
    Wrong = Block.Rest[0]->next(Piece);
  EXPECT_NE(Wrong, "");
  EXPECT_GT(Pieces, 10u);
  EXPECT_LT(Pieces, 100u);
}

} // namespace
} // namespace warpwise::reuse::test
