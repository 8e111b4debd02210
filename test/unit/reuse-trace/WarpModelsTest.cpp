//===- WarpModelsTest.cpp - Warps told by others, against their own traces ===//

#include "TraceTesting.h"

#include <map>
#include <random>

namespace warpwise::reuse::test {
namespace {

/// What the caller of blockLike() makes of its answers.
class Keeper {
public:
  /// The traces of a block, and how many of them were moved.
  std::vector<WarpTrace> block(KernelTrace &Trace, uint64_t Number) {
    BlockTrace Block;
    EXPECT_EQ(Trace.blockLike(Number, Block, Likes), "");
    EXPECT_EQ(Likes.ByWarp.size(), Block.Warps.size());
    for (size_t W = 0; W != Likes.ByWarp.size(); ++W) {
      const Likeness &Like = Likes.ByWarp[W];
      if (Like.IsMoved) {
        EXPECT_TRUE(Block.Warps[W].empty());
        Block.Warps[W] = moved(Models[Like.Place], Like.Moves);
        ++Moved;
      } else if (Like.Model != 0) {
        EXPECT_EQ(Likes.Kept[Like.Place], Like.Model);
        Models[Like.Place] = Block.Warps[W];
      }
    }
    return std::move(Block.Warps);
  }

  unsigned Moved = 0;

private:
  static WarpTrace moved(WarpTrace Trace, const std::vector<uint64_t> &Moves) {
    std::map<uint32_t, size_t> SlotOf;
    for (LineAccess &A : Trace) {
      const size_t Slot = SlotOf.emplace(A.Site, SlotOf.size()).first->second;
      A.Line += Moves.at(Slot);
    }
    EXPECT_EQ(SlotOf.size(), Moves.size());
    return Trace;
  }

  LikeTraces Likes;
  std::array<WarpTrace, LikeTraces::MostModels> Models;
};

class WarpModelsTest : public TraceTest {
protected:
  /// Checks all blocks, twice in another order; returns how many warps were
  /// told by others.
  unsigned check(const std::shared_ptr<KernelProgram> &Program,
                 const LaunchInput &Input) {
    auto Trace = KernelTrace::create(Program, Input);
    if (!Trace) {
      ADD_FAILURE() << llvm::toString(Trace.takeError());
      return 0;
    }
    Keeper Kept;
    const uint64_t Blocks = (*Trace)->shape().blocks();
    for (uint64_t B = 0; B != 2 * Blocks; ++B) {
      const uint64_t Number = B < Blocks ? B : B * 5 % Blocks;
      BlockTrace Own;
      EXPECT_EQ((*Trace)->block(Number, Own), "");
      const std::vector<WarpTrace> Told = Kept.block(**Trace, Number);
      EXPECT_EQ(Told, Own.Warps) << "block " << Number;
    }
    return Kept.Moved;
  }
};

TEST_F(WarpModelsTest, RandomAffineKernelsAreTheSame) {
  const auto Program = compile(R"(
extern "C" __global__ void kernel(float *out, const float *in, int pitch,
                                  int step, int shift, int rounds, int edge) {
  __shared__ float tile[40][33];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < edge)
    return;
  tile[threadIdx.y][threadIdx.x] = in[y * pitch + x * step + shift];
  for (int k = 0; k < rounds; ++k)
    out[y * pitch + x] += in[(y + k) * pitch + x * step + shift - k];
  if (y % 3 == 0)
    out[x * pitch + y] = tile[threadIdx.y][threadIdx.x];
})");
  ASSERT_TRUE(Program) << Problem;
  std::mt19937 Random(7);
  const auto any = [&](std::initializer_list<int> Values) {
    return integer(Values.begin()[Random() % Values.size()]);
  };
  unsigned Moved = 0;
  for (unsigned Try = 0; Try != 60; ++Try) {
    LaunchInput Input =
        shape({unsigned(1 + Random() % 3), unsigned(1 + Random() % 4), 1},
              {std::array{32u, 64u, 16u, 24u}[Random() % 4],
               unsigned(1 + Random() % 8), 1},
              {pointer(), pointer(), any({1024, 1000, 32, 7}), any({1, 2, 33}),
               any({0, 1, 31}), any({0, 1, 9}), any({0, 1, 40})});
    Moved += check(Program, Input);
  }
  EXPECT_GT(Moved, 1000u);
}

TEST_F(WarpModelsTest, NeighboursAreLikeEachOther) {
  const auto Program = compile(R"(
extern "C" __global__ void kernel(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k)
    out[i] += in[i * n + k];
})");
  ASSERT_TRUE(Program) << Problem;
  // 16 warps: the first is the model of the others; then of all.
  EXPECT_EQ(check(Program, shape({4, 1, 1}, {128, 1, 1},
                                 {pointer(), pointer(), integer(64)})),
            31u);
  // A row of lanes begins in another sector of its line each time.
  EXPECT_EQ(check(Program, shape({4, 1, 1}, {32, 1, 1},
                                 {pointer(), pointer(), integer(1)})),
            7u);
}

TEST_F(WarpModelsTest, WarpsThatAccessNothingAreLikeEachOther) {
  const auto Program = compile(
      "extern \"C\" __global__ void kernel(int *out, int n) { int i = "
      "blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 1; }");
  ASSERT_TRUE(Program) << Problem;
  // The first warp of each kind is the model.
  EXPECT_EQ(
      check(Program, shape({8, 1, 1}, {32, 1, 1}, {pointer(), integer(96)})),
      14u);
}

TEST_F(WarpModelsTest, PrivateArraysAndBarriersMoveAsTheyShould) {
  const auto Program = compile(R"(
extern "C" __global__ void kernel(int *out, int n) {
  int own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k)
    own[k] = k * k % n;
  for (int k = 0; k < n; ++k) {
    out[own[k % 64] * 4096 + i] = k;
    __syncthreads();
  }
})");
  ASSERT_TRUE(Program) << Problem;
  EXPECT_GT(
      check(Program, shape({4, 1, 1}, {64, 1, 1}, {pointer(), integer(9)})),
      0u);
}

TEST_F(WarpModelsTest, BoxesOfBlocksEndWhereThePathChanges) {
  const auto Program = compile(R"(
extern "C" __global__ void kernel(float *out, const float *in, int pitch,
                                  int halo, unsigned inner, unsigned width,
                                  int rounds) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  // Below the halo the difference is a large number.
  if (unsigned(x - halo) < inner)
    out[(z * 64 + y) * pitch + x] = in[x + y * pitch];
  if (y != 9)
    for (int k = blockIdx.y; k < rounds; ++k)
      out[k * pitch + x] = 0;
  unsigned u = x - halo;
  out[u] = in[min(u, width)];
  out[x % width + x / width * 4096] = in[blockIdx.x * blockIdx.y * 32];
})");
  ASSERT_TRUE(Program) << Problem;
  std::mt19937 Random(3);
  const auto any = [&](std::initializer_list<int> Values) {
    return integer(Values.begin()[Random() % Values.size()]);
  };
  for (unsigned Try = 0; Try != 12; ++Try)
    check(Program,
          shape({unsigned(4 + Random() % 12), unsigned(1 + Random() % 9),
                 unsigned(1 + Random() % 4)},
                {std::array{32u, 64u, 16u}[Random() % 3],
                 unsigned(1 + Random() % 3), 1},
                {pointer(), pointer(), any({1024, 1000, 32}),
                 any({0, 31, 64, 128}), any({32, 100, 256}),
                 any({48, 64, 1 << 20}), any({0, 3, 5})}));
}

TEST_F(WarpModelsTest, BoxesOfBlocksHaveNoNumbersThatWrapAround) {
  for (const char *Condition :
       {"int(x * 0x10000000u) < 5", "int(x * 0x30000000ll) < 1000",
        "short(x * 9000) > 0", "(x << 28) - 1 < 0x7fffffff"}) {
    SCOPED_TRACE(Condition);
    const auto Program = compile(
        "extern \"C\" __global__ void kernel(int *out) { unsigned x = "
        "blockIdx.x; if (" +
        std::string(Condition) + ") out[x * blockDim.x + threadIdx.x] = 1; }");
    ASSERT_TRUE(Program) << Problem;
    EXPECT_GT(check(Program, shape({40, 1, 1}, {32, 1, 1}, {pointer()})), 0u);
  }
}

TEST_F(WarpModelsTest, AnotherCallerGetsNoModelItHasNot) {
  const auto Program = compile("extern \"C\" __global__ void kernel(int *out) "
                               "{ out[threadIdx.x] = 1; }");
  ASSERT_TRUE(Program) << Problem;
  auto Trace =
      KernelTrace::create(Program, shape({3, 1, 1}, {32, 1, 1}, {pointer()}));
  ASSERT_TRUE(bool(Trace));
  for (unsigned Caller = 0; Caller != 2; ++Caller) {
    Keeper Kept;
    for (uint64_t B = 0; B != 3; ++B)
      EXPECT_EQ(Kept.block(**Trace, B).front().size(), 1u);
    EXPECT_EQ(Kept.Moved, 2u);
  }
}

} // namespace
} // namespace warpwise::reuse::test
