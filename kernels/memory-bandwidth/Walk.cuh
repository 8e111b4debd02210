//===- Walk.cuh - Which memory a kernel goes over, and how ------*- C++ -*-===//
//
// Every stream in this folder goes over tiles of 16-byte vectors; a walk says
// which. The data are vectors whose four words xor to zero, so that a kernel
// that reads has a cheap, honest use for what it read: it counts vectors that
// are not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_MEMORYBANDWIDTH_WALK_CUH
#define WARPWISE_KERNELS_MEMORYBANDWIDTH_WALK_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/inference/Statistics.h"

#include <algorithm>
#include <map>

namespace warpwise::harness {
inline namespace memoryBandwidth {

/// Block b reads tile t at b * BlockPitch + t * TilePitch, all its tiles once
/// in each pass. In vectors.
struct Walk {
  unsigned Blocks = 0;
  unsigned Tile = 0;
  uint64_t BlockPitch = 0, TilePitch = 0;
  unsigned Tiles = 0, Passes = 1;

  uint64_t vectors() const { return uint64_t(Blocks) * Tile * Tiles * Passes; }
  /// Bytes of different memory.
  uint64_t footprint() const {
    return 16ull * Tile * Tiles * (BlockPitch == 0 ? 1 : Blocks);
  }
};

/// All blocks side by side, tile after tile; a tail that is not a whole row of
/// tiles is left out.
inline Walk gridStride(uint64_t Vectors, unsigned Blocks, unsigned Tile) {
  const uint64_t Row = uint64_t(Blocks) * Tile;
  return {.Blocks = Blocks,
          .Tile = Tile,
          .BlockPitch = Tile,
          .TilePitch = Row,
          .Tiles = static_cast<unsigned>(Vectors / Row)};
}

/// One contiguous slice per block.
inline Walk slices(uint64_t Vectors, unsigned Blocks, unsigned Tile) {
  Walk W = gridStride(Vectors, Blocks, Tile);
  W.BlockPitch = uint64_t(W.Tiles) * Tile;
  W.TilePitch = Tile;
  return W;
}

/// The same memory for all blocks.
inline Walk sameForAll(uint64_t Vectors, unsigned Blocks, unsigned Tile) {
  return {.Blocks = Blocks,
          .Tile = Tile,
          .BlockPitch = 0,
          .TilePitch = Tile,
          .Tiles = static_cast<unsigned>(Vectors / Tile)};
}

/// As many passes as go over about \p Bytes in all.
inline Walk repeated(Walk W, double Bytes) {
  W.Passes = 1;
  if (W.vectors() != 0)
    W.Passes = std::max(
        1u, static_cast<unsigned>(Bytes / (16.0 * double(W.vectors()))));
  return W;
}

/// How a load treats the caches.
enum class Fetch {
  Cached,   ///< allocates in L1
  L2,       ///< past L1
  Prefetch, ///< read-only path, not kept in L1, L2 fetches 256 bytes
  Wide      ///< 32 bytes, sm_100 and up
};

constexpr const char *name(Fetch How) {
  switch (How) {
  case Fetch::Cached:
    return "ld.global.ca.v4";
  case Fetch::L2:
    return "ld.global.cg.v4";
  case Fetch::Prefetch:
    return "ld.global.nc.L1::no_allocate.L2::256B.v4";
  case Fetch::Wide:
    return "ld.global.v8";
  }
  return "";
}

/// Two vectors in one access.
struct alignas(32) TwoVectors {
  uint4 Half[2];
};

/// Zero for data that are right.
__device__ __forceinline__ uint32_t parity(const uint4 &V) {
  return V.x ^ V.y ^ V.z ^ V.w;
}
__device__ __forceinline__ uint32_t parity(const TwoVectors &V) {
  return parity(V.Half[0]) | parity(V.Half[1]);
}

template <Fetch How> __device__ __forceinline__ uint4 fetch(const uint4 *At) {
  uint4 V;
  if constexpr (How == Fetch::Cached)
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                 : "l"(At));
  else if constexpr (How == Fetch::L2)
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                 : "l"(At));
  else
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
        : "l"(At));
#else
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
                 : "l"(At));
#endif
  return V;
}

template <Fetch>
__device__ __forceinline__ TwoVectors fetch(const TwoVectors *At) {
  TwoVectors V;
#if __CUDA_ARCH__ >= 1000
  asm volatile("ld.global.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
               : "=r"(V.Half[0].x), "=r"(V.Half[0].y), "=r"(V.Half[0].z),
                 "=r"(V.Half[0].w), "=r"(V.Half[1].x), "=r"(V.Half[1].y),
                 "=r"(V.Half[1].z), "=r"(V.Half[1].w)
               : "l"(At));
#else
  V = *At; // not launched: the host asks compiledFor
#endif
  return V;
}

/// Whether the \p Kernel that this device runs was compiled for \p Capability
/// (90 for sm_90) or newer. What is compiled at load time from PTX for an older
/// one lacks the newer instructions, whatever the device could do.
template <typename Function> bool compiledFor(Function Kernel, int Capability) {
  cudaFuncAttributes Facts;
  check(cudaFuncGetAttributes(&Facts, Kernel));
  return Facts.ptxVersion >= Capability;
}

/// When a block ran, on its SM's clock.
struct Span {
  uint64_t From = 0, To = 0;
  unsigned Sm = 0;
};

/// What an SM moves per cycle when each block moves \p BytesPerBlock: median
/// over the SMs, each from its first block's begin to its last one's end.
inline double bytesPerClock(const std::vector<Span> &Blocks,
                            double BytesPerBlock) {
  struct Total {
    uint64_t From = ~uint64_t(0), To = 0;
    double Bytes = 0;
  };
  std::map<unsigned, Total> Sms;
  for (const Span &Each : Blocks) {
    Total &T = Sms[Each.Sm];
    T.From = std::min(T.From, Each.From);
    T.To = std::max(T.To, Each.To);
    T.Bytes += BytesPerBlock;
  }
  std::vector<double> Rates;
  for (const auto &[Sm, T] : Sms)
    Rates.push_back(T.Bytes / double(T.To - T.From));
  return inference::median(Rates);
}

__global__ void fillParity(uint4 *Memory, uint64_t Count) {
  for (uint64_t I = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; I < Count;
       I += uint64_t(gridDim.x) * blockDim.x) {
    const uint32_t X = uint32_t(I) * 2654435761u, Y = X ^ uint32_t(I >> 7),
                   Z = (X >> 11) * 40503u;
    Memory[I] = make_uint4(X, Y, Z, X ^ Y ^ Z);
  }
}

/// Counts vectors of \p A that differ from those of \p B; \p Pitch 0 compares
/// all with the first of B.
__global__ void countOther(const uint4 *A, const uint4 *B, unsigned Pitch,
                           uint64_t Count, unsigned *Other) {
  unsigned Mine = 0;
  for (uint64_t I = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; I < Count;
       I += uint64_t(gridDim.x) * blockDim.x) {
    const uint4 X = A[I], Y = B[I * Pitch];
    Mine += X.x != Y.x || X.y != Y.y || X.z != Y.z || X.w != Y.w;
  }
  if (Mine)
    atomicAdd(Other, Mine);
}

} // namespace memoryBandwidth
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_MEMORYBANDWIDTH_WALK_CUH
