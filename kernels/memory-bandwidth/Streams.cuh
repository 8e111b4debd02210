//===- Streams.cuh - Kernels that read, write and copy ----------*- C++ -*-===//
//
// Each thread has Unroll accesses in flight; a tile is Unroll rows of a block's
// threads. The launch bounds let ptxas have the registers for that: without
// them it interleaves the loads with their use to save some.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_MEMORYBANDWIDTH_STREAMS_CUH
#define WARPWISE_KERNELS_MEMORYBANDWIDTH_STREAMS_CUH

#include "kernels/memory-bandwidth/Walk.cuh"

namespace warpwise::harness {
inline namespace memoryBandwidth {

/// Calls \p Tile with the index of this thread's first vector in every tile.
template <typename Function>
__device__ __forceinline__ void overTiles(const Walk &W, Function Tile) {
  const uint64_t First = blockIdx.x * W.BlockPitch + threadIdx.x;
#pragma unroll 1
  for (unsigned Pass = 0; Pass != W.Passes; ++Pass) {
    uint64_t At = First;
#pragma unroll 1
    for (unsigned T = 0; T != W.Tiles; ++T, At += W.TilePitch)
      Tile(At);
  }
}

template <Fetch How, unsigned Unroll, typename Vector>
__global__ void __launch_bounds__(1024, 1)
    readWalk(const Vector *In, Walk W, unsigned *Wrong, Span *Spans) {
  if (Spans)
    __syncthreads();
  const uint64_t From = clock64Now();
  uint32_t Bad = 0;
  overTiles(W, [&](uint64_t At) {
    Vector Values[Unroll];
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      Values[K] = fetch<How>(In + At + K * blockDim.x);
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      Bad |= parity(Values[K]);
  });
  if (Bad)
    atomicAdd(Wrong, 1);
  if (Spans) {
    __syncthreads();
    if (threadIdx.x == 0)
      Spans[blockIdx.x] = {From, clock64Now(), smId()};
  }
}

/// How a store treats the caches.
enum class Store {
  Default,
  Streaming ///< evicted first
};

constexpr const char *name(Store How) {
  return How == Store::Default ? "st.global.v4" : "st.global.cs.v4";
}

template <Store How>
__device__ __forceinline__ void store(uint4 *At, const uint4 &V) {
  if constexpr (How == Store::Default)
    *At = V;
  else
    __stcs(At, V);
}

template <Store How, unsigned Unroll>
__global__ void writeWalk(uint4 *Out, Walk W, uint4 Value) {
  overTiles(W, [&](uint64_t At) {
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      store<How>(Out + At + K * blockDim.x, Value);
  });
}

template <Fetch How, Store To, unsigned Unroll>
__global__ void __launch_bounds__(1024, 1)
    copyWalk(const uint4 *In, uint4 *Out, Walk W) {
  overTiles(W, [&](uint64_t At) {
    uint4 Values[Unroll];
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      Values[K] = fetch<How>(In + At + K * blockDim.x);
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      store<To>(Out + At + K * blockDim.x, Values[K]);
  });
}

/// BabelStream's a = b + scalar * c on doubles, two per access.
template <unsigned Unroll>
__global__ void __launch_bounds__(1024, 1)
    triadWalk(double2 *A, const double2 *B, const double2 *C, double Scalar,
              Walk W) {
  overTiles(W, [&](uint64_t At) {
    double2 X[Unroll], Y[Unroll];
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K) {
      X[K] = B[At + K * blockDim.x];
      Y[K] = C[At + K * blockDim.x];
    }
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      A[At + K * blockDim.x] =
          make_double2(X[K].x + Scalar * Y[K].x, X[K].y + Scalar * Y[K].y);
  });
}

using ReadKernel = void (*)(const uint4 *, Walk, unsigned *, Span *);
using WideReadKernel = void (*)(const TwoVectors *, Walk, unsigned *, Span *);
using WriteKernel = void (*)(uint4 *, Walk, uint4);
using CopyKernel = void (*)(const uint4 *, uint4 *, Walk);
using TriadKernel = void (*)(double2 *, const double2 *, const double2 *,
                             double, Walk);

/// The kernel among \p Kernels, for 1, 2, 4 and 8 accesses in flight.
template <typename Kernel>
Kernel forUnroll(const Kernel (&Kernels)[4], unsigned Unroll) {
  return Kernels[Unroll == 1 ? 0 : Unroll == 2 ? 1 : Unroll == 4 ? 2 : 3];
}

template <Fetch How> ReadKernel readKernel(unsigned Unroll) {
  static constexpr ReadKernel Kernels[] = {
      readWalk<How, 1, uint4>, readWalk<How, 2, uint4>, readWalk<How, 4, uint4>,
      readWalk<How, 8, uint4>};
  return forUnroll(Kernels, Unroll);
}

inline ReadKernel readKernel(Fetch How, unsigned Unroll) {
  switch (How) {
  case Fetch::Cached:
    return readKernel<Fetch::Cached>(Unroll);
  case Fetch::L2:
    return readKernel<Fetch::L2>(Unroll);
  case Fetch::Prefetch:
  case Fetch::Wide:
    break;
  }
  return readKernel<Fetch::Prefetch>(Unroll);
}

inline WideReadKernel wideReadKernel(unsigned Unroll) {
  static constexpr WideReadKernel Kernels[] = {
      readWalk<Fetch::Wide, 1, TwoVectors>,
      readWalk<Fetch::Wide, 2, TwoVectors>,
      readWalk<Fetch::Wide, 4, TwoVectors>,
      readWalk<Fetch::Wide, 8, TwoVectors>};
  return forUnroll(Kernels, Unroll);
}

template <Store How> WriteKernel writeKernel(unsigned Unroll) {
  static constexpr WriteKernel Kernels[] = {
      writeWalk<How, 1>, writeWalk<How, 2>, writeWalk<How, 4>,
      writeWalk<How, 8>};
  return forUnroll(Kernels, Unroll);
}

inline WriteKernel writeKernel(Store How, unsigned Unroll) {
  return How == Store::Default ? writeKernel<Store::Default>(Unroll)
                               : writeKernel<Store::Streaming>(Unroll);
}

template <Fetch How, Store To> CopyKernel copyKernel(unsigned Unroll) {
  static constexpr CopyKernel Kernels[] = {
      copyWalk<How, To, 1>, copyWalk<How, To, 2>, copyWalk<How, To, 4>,
      copyWalk<How, To, 8>};
  return forUnroll(Kernels, Unroll);
}

inline CopyKernel copyKernel(Fetch How, Store To, unsigned Unroll) {
  if (How == Fetch::Cached)
    return To == Store::Default
               ? copyKernel<Fetch::Cached, Store::Default>(Unroll)
               : copyKernel<Fetch::Cached, Store::Streaming>(Unroll);
  return To == Store::Default
             ? copyKernel<Fetch::Prefetch, Store::Default>(Unroll)
             : copyKernel<Fetch::Prefetch, Store::Streaming>(Unroll);
}

inline TriadKernel triadKernel(unsigned Unroll) {
  static constexpr TriadKernel Kernels[] = {triadWalk<1>, triadWalk<2>,
                                            triadWalk<4>, triadWalk<8>};
  return forUnroll(Kernels, Unroll);
}

} // namespace memoryBandwidth
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_MEMORYBANDWIDTH_STREAMS_CUH
