//===- Stream.cuh - Throughput of warps' requests ---------------*- C++ -*-===//
//
// Many warps of an SM issue loads of one pattern that do not wait for one
// another; the cycles per request are what the pattern costs the SM's memory
// pipeline once latency is hidden. All words read are 1, so that a warp's sum
// tells whether every load was made.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_STREAM_CUH
#define WARPWISE_KERNELS_HARNESS_STREAM_CUH

#include "kernels/harness/Chase.cuh"

namespace warpwise::harness {
namespace { // see Requests.cuh

/// Loads that a warp has in flight.
constexpr unsigned LoadsInFlight = 8;

/// Bytes between the loads that a warp has in flight. They keep the pattern's
/// banks and its place in a line; in L2 they differ by more than a pattern
/// spans, lest two requests in flight want the same sector.
__host__ __device__ constexpr unsigned pitchOf(Space At) {
  switch (At) {
  case Space::L2:
    return 4096 + 128;
  case Space::Constant:
    return 64;
  default:
    return 128;
  }
}

/// Bytes that patterns may span.
__host__ __device__ constexpr unsigned spanOf(Space At) {
  switch (At) {
  case Space::Shared:
    return 32 << 10;
  case Space::Constant:
    return ringOf(At).Bytes - LoadsInFlight * pitchOf(At);
  default:
    return 4096;
  }
}

/// The sum of the words of one load of \p Bytes, \p Ahead bytes after \p From.
template <Space At, unsigned Bytes, unsigned Ahead>
__device__ __forceinline__ uint32_t sumAt(Spot<At> From) {
  uint32_t X, Y = 0, Z = 0, W = 0;
#define WARPWISE_SUM(SPACE, CONSTRAINT)                                        \
  if constexpr (Bytes == 4)                                                    \
    asm volatile("ld." SPACE ".u32 %0, [%1 + %2];"                             \
                 : "=r"(X)                                                     \
                 : CONSTRAINT(From), "n"(Ahead));                              \
  else if constexpr (Bytes == 8)                                               \
    asm volatile("ld." SPACE ".v2.u32 {%0, %1}, [%2 + %3];"                    \
                 : "=r"(X), "=r"(Y)                                            \
                 : CONSTRAINT(From), "n"(Ahead));                              \
  else                                                                         \
    asm volatile("ld." SPACE ".v4.u32 {%0, %1, %2, %3}, [%4 + %5];"            \
                 : "=r"(X), "=r"(Y), "=r"(Z), "=r"(W)                          \
                 : CONSTRAINT(From), "n"(Ahead));
  if constexpr (At == Space::Shared) {
    WARPWISE_SUM("shared", "r")
  } else if constexpr (At == Space::L1) {
    WARPWISE_SUM("global.ca", "l")
  } else if constexpr (At == Space::L2) {
    WARPWISE_SUM("global.cg", "l")
  } else {
    const uint64_t Value =
        loadConstant<Bytes>(ringOf(Space::Constant).Bytes + From + Ahead);
    X = uint32_t(Value);
    Y = uint32_t(Value >> 32);
  }
#undef WARPWISE_SUM
  return X + Y + Z + W;
}

/// The sums of LoadsInFlight loads.
template <Space At, unsigned Bytes, unsigned Pitch, unsigned Next = 0>
__device__ __forceinline__ uint32_t sumOfRound(Spot<At> From) {
  if constexpr (Next == LoadsInFlight)
    return 0;
  else {
    const uint32_t Sum = sumAt<At, Bytes, Next * Pitch>(From);
    return Sum + sumOfRound<At, Bytes, Pitch, Next + 1>(From);
  }
}

/// For every pattern and walk the cycles of each block, blocks innermost. Warps
/// read \p WarpBytes apart. \p Zero is 0, which only the caller knows, so that
/// no load can be taken out of the loop. \p Wrong counts lanes with another sum
/// than expected.
template <Space At, unsigned Bytes, unsigned Pitch>
__global__ void __launch_bounds__(1024)
    stream(uint64_t Memory, const uint32_t *Offsets, unsigned Patterns,
           uint32_t WarpBytes, unsigned Rounds, uint32_t Zero, uint32_t *Cycles,
           unsigned *Wrong) {
  uint64_t Base = Memory;
  if constexpr (At == Space::Shared) {
    constexpr unsigned Words = (spanOf(At) + LoadsInFlight * Pitch) / 4;
    for (unsigned I = threadIdx.x; I < Words; I += blockDim.x)
      SharedWords[I] = 1;
    Base = __cvta_generic_to_shared(SharedWords);
  }
  const unsigned Lane = threadIdx.x % WarpLanes;
  const unsigned Warp = (blockIdx.x * blockDim.x + threadIdx.x) / WarpLanes;
#pragma unroll 1
  for (unsigned P = 0; P != Patterns; ++P) {
    Spot<At> From =
        Base + uint64_t(Warp) * WarpBytes + Offsets[P * WarpLanes + Lane];
#pragma unroll 1
    for (unsigned Walk = 0; Walk != Walks; ++Walk) {
      const unsigned Length = Walk + 1 == Walks ? 2 * Rounds : Rounds;
      uint32_t Sum = 0;
      __syncthreads();
      const uint32_t Begin = clockNow();
#pragma unroll 1
      for (unsigned Round = 0; Round != Length; ++Round) {
        Sum += sumOfRound<At, Bytes, Pitch>(From);
        From += Zero;
      }
      consume(Sum);
      __syncthreads();
      const uint32_t Took = clockNow() - Begin;
      if (threadIdx.x == 0)
        Cycles[(P * Walks + Walk) * gridDim.x + blockIdx.x] = Took;
      if (Sum != Length * LoadsInFlight * (Bytes / 4))
        atomicAdd(Wrong, 1);
    }
  }
}

/// SMs to load, one block each.
struct Load {
  unsigned Blocks = 1;
  unsigned Warps = 32; ///< per block
};

/// Words of 1 in the memory \p At, ready to be streamed by loads of \p Bytes.
template <Space At, unsigned Bytes, unsigned Pitch = pitchOf(At)> class Stream {
  /// Warps read the same data where it has to stay in a small cache, and each
  /// its own in L2.
  static constexpr unsigned WarpBytes =
      At == Space::L2 ? LoadsInFlight * Pitch : 0;

public:
  explicit Stream(Load L = {}) : With(L) {
    if constexpr (isGlobal(At)) {
      const size_t Size = size_t(L.Blocks) * L.Warps * WarpBytes + spanOf(At) +
                          (LoadsInFlight + 1) * Pitch;
      Ones = Buffer<uint32_t>(std::vector<uint32_t>(Size / 4, 1));
    }
    if constexpr (At == Space::Constant)
      fillConstant();
  }

  /// SM cycles per request for each of \p Patterns, the mean over the SMs.
  std::vector<double> cycles(const std::vector<Pattern> &Patterns,
                             unsigned Rounds = 8) {
    withRoom(Offsets, Patterns.size() * WarpLanes)
        .upload(offsetTable(Patterns));
    withRoom(Cycles, Patterns.size() * Walks * With.Blocks);
    Wrong.zero();
    constexpr unsigned SharedBytes =
        At == Space::Shared ? spanOf(At) + LoadsInFlight * Pitch : 0;
    stream<At, Bytes, Pitch>
        <<<With.Blocks, With.Warps * WarpLanes, SharedBytes>>>(
            reinterpret_cast<uint64_t>(Ones.get()), Offsets.get(),
            unsigned(Patterns.size()), WarpBytes, Rounds, 0, Cycles.get(),
            Wrong.get());
    finish();
    if (Wrong.download()[0] != 0)
      throw CudaFailure("a warp's sum misses some of its loads");
    const std::vector<uint32_t> Took =
        Cycles.download(Patterns.size() * Walks * With.Blocks);
    std::vector<double> Result;
    for (size_t P = 0; P != Patterns.size(); ++P) {
      const uint32_t *Once = &Took[(P * Walks + 1) * With.Blocks];
      const uint32_t *Twice = Once + With.Blocks;
      double Sum = 0;
      for (unsigned Block = 0; Block != With.Blocks; ++Block)
        Sum += double(Twice[Block]) - double(Once[Block]);
      Result.push_back(Sum / With.Blocks /
                       (Rounds * LoadsInFlight * With.Warps));
    }
    return Result;
  }

private:
  Load With;
  Buffer<uint32_t> Ones;
  Buffer<uint32_t> Offsets, Cycles;
  Buffer<unsigned> Wrong{1};
};

} // namespace
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_STREAM_CUH
