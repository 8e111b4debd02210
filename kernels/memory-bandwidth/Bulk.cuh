//===- Bulk.cuh - Streams by bulk copies ------------------------*- C++ -*-===//
//
// cp.async.bulk moves kilobytes with one instruction of one thread: nothing but
// the memory system is busy. Each block keeps a ring of stages in shared
// memory. sm_90 and up.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_MEMORYBANDWIDTH_BULK_CUH
#define WARPWISE_KERNELS_MEMORYBANDWIDTH_BULK_CUH

#include "kernels/memory-bandwidth/Walk.cuh"

#include <fmt/format.h>

namespace warpwise::harness {
inline namespace memoryBandwidth {

constexpr unsigned MostStages = 16;
/// More than the barriers of a ring take.
constexpr int StaticBytes = 512;

/// Shape of a ring; a chunk is a walk's tile.
struct Ring {
  unsigned BlocksPerSm = 1, Stages = 4, ChunkBytes = 16384;

  unsigned sharedBytes() const { return Stages * ChunkBytes; }
  bool fits(const Device &D) const {
    const uint64_t Each =
        sharedBytes() + D.ReservedSharedBytesPerBlock + StaticBytes;
    return Each <= D.SharedBytesPerBlock &&
           Each * BlocksPerSm <= D.SharedBytesPerSm;
  }
  /// Lets \p Kernel have as much dynamic shared memory as any ring needs.
  template <typename Function>
  void allow(const Device &D, Function Kernel) const {
    check(cudaFuncSetAttribute(
        Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        static_cast<int>(D.SharedBytesPerBlock) - StaticBytes));
  }
  std::string name() const {
    return fmt::format("cp.async.bulk, {} blocks per SM, {} stages of {} KiB",
                       BlocksPerSm, Stages, ChunkBytes >> 10);
  }
};

#if __CUDA_ARCH__ >= 900

__device__ __forceinline__ uint32_t inShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}

/// Barriers that are complete when a stage's bytes have arrived.
__device__ __forceinline__ void prepare(uint64_t *Full, unsigned Stages) {
  for (unsigned S = 0; S != Stages; ++S)
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(inShared(Full + S))
        : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void loadBulk(uint4 *To, const uint4 *From,
                                         unsigned Bytes, uint64_t *Full) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   inShared(Full)),
               "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
               "::bytes [%0], [%1], %2, [%3];" ::"r"(inShared(To)),
               "l"(From), "r"(Bytes), "r"(inShared(Full))
               : "memory");
}

__device__ __forceinline__ void storeBulk(uint4 *To, const uint4 *From,
                                          unsigned Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
               "cp.async.bulk.commit_group;" ::"l"(To),
               "r"(inShared(From)), "r"(Bytes)
               : "memory");
}

__device__ __forceinline__ void await(uint64_t *Full, unsigned Phase) {
  uint32_t Done = 0;
  while (!Done)
    asm volatile("{\n\t.reg .pred P;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 P, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, P;\n\t}"
                 : "=r"(Done)
                 : "r"(inShared(Full)), "r"(Phase)
                 : "memory");
}

/// A place in a ring of \p Stages, and how often it went round.
struct Slot {
  unsigned Stages, At = 0, Phase = 0;
  __device__ void next() {
    if (++At == Stages) {
      At = 0;
      Phase ^= 1;
    }
  }
};

/// The next tile of a walk.
struct Cursor {
  const Walk &W;
  uint64_t At;
  unsigned Tile = 0;
  __device__ explicit Cursor(const Walk &W)
      : W(W), At(blockIdx.x * W.BlockPitch) {}
  __device__ uint64_t next() {
    const uint64_t This = At;
    At += W.TilePitch;
    if (++Tile == W.Tiles) {
      Tile = 0;
      At = blockIdx.x * W.BlockPitch;
    }
    return This;
  }
};

#endif

/// Reads a walk into shared memory and looks at one vector of every tile.
__global__ void readBulk(const uint4 *In, Walk W, unsigned Stages,
                         unsigned *Wrong, Span *Spans) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) uint4 Staged[];
  __shared__ uint64_t Full[MostStages];
  if (threadIdx.x != 0)
    return;
  prepare(Full, Stages);
  const uint64_t From = clock64Now();
  const unsigned Count = W.Tiles * W.Passes, Bytes = W.Tile * 16;
  Cursor Next(W);
  Slot Loading{Stages}, Arriving{Stages};
  unsigned Issued = 0;
  auto Issue = [&] {
    loadBulk(Staged + Loading.At * W.Tile, In + Next.next(), Bytes,
             Full + Loading.At);
    Loading.next();
    ++Issued;
  };
  while (Issued != Stages && Issued != Count)
    Issue();
  uint32_t Bad = 0;
  for (unsigned I = 0; I != Count; ++I, Arriving.next()) {
    await(Full + Arriving.At, Arriving.Phase);
    Bad |= parity(Staged[Arriving.At * W.Tile]);
    if (Issued != Count)
      Issue();
  }
  if (Bad)
    atomicAdd(Wrong, 1);
  if (Spans)
    Spans[blockIdx.x] = {From, clock64Now(), smId()};
#endif
}

/// The rings that fit \p D, with enough bytes under way to cover the latency
/// of DRAM.
inline std::vector<Ring> rings(const Device &D, bool Quick) {
  std::vector<Ring> Fitting;
  if (!compiledFor(readBulk, 90))
    return Fitting;
  const std::vector<Ring> All =
      Quick ? std::vector<Ring>{{2, 4, 16384}, {4, 6, 8192}}
            : std::vector<Ring>{{1, 4, 32768}, {1, 6, 32768}, {1, 12, 16384},
                                {2, 4, 16384}, {2, 6, 16384}, {2, 12, 8192},
                                {4, 4, 8192},  {4, 6, 8192},  {4, 12, 4096},
                                {8, 4, 4096},  {8, 6, 4096},  {1, 16, 8192}};
  std::copy_if(All.begin(), All.end(), std::back_inserter(Fitting),
               [&](const Ring &R) { return R.fits(D); });
  return Fitting;
}

/// Copies a walk through shared memory. Loads run half a ring ahead, so that a
/// stage is reused only when the store from it is half a ring old.
template <unsigned Stages>
__global__ void copyBulk(const uint4 *In, uint4 *Out, Walk W) {
#if __CUDA_ARCH__ >= 900
  constexpr unsigned Ahead = Stages / 2;
  extern __shared__ __align__(128) uint4 Staged[];
  __shared__ uint64_t Full[Stages];
  if (threadIdx.x != 0)
    return;
  prepare(Full, Stages);
  const unsigned Count = W.Tiles, Bytes = W.Tile * 16;
  Cursor Source(W), Target(W);
  Slot Loading{Stages}, Storing{Stages};
  unsigned Issued = 0;
  auto Issue = [&] {
    loadBulk(Staged + Loading.At * W.Tile, In + Source.next(), Bytes,
             Full + Loading.At);
    Loading.next();
    ++Issued;
  };
  while (Issued != Ahead && Issued != Count)
    Issue();
  for (unsigned I = 0; I != Count; ++I, Storing.next()) {
    await(Full + Storing.At, Storing.Phase);
    storeBulk(Out + Target.next(), Staged + Storing.At * W.Tile, Bytes);
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Stages - Ahead)
                 : "memory");
    if (Issued != Count)
      Issue();
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

} // namespace memoryBandwidth
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_MEMORYBANDWIDTH_BULK_CUH
