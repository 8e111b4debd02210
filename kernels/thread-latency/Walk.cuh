//===- Walk.cuh - A dependent walk through any memory -----------*- C++ -*-===//
//
// One thread follows pointers. Wherever the memory allows it the loaded value
// is the next address, bit for bit, so that a step is one load and nothing
// else. The same walk exists without a clock inside (chase) and with a bracket
// around each load (trace).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_THREADLATENCY_WALK_CUH
#define WARPWISE_KERNELS_THREADLATENCY_WALK_CUH

#include "kernels/harness/Timing.cuh"

#include <cuda_runtime.h>

#include <cstdint>

namespace warpwise::harness::walk {

enum class Memory {
  Nothing, ///< no load: what a bracket costs by itself
  Shared,  ///< 4-byte loads, then 8 and 16 bytes
  Shared8,
  Shared16,
  L1Word, ///< ld.global.ca, 4-byte loads, then 8 and 16 bytes
  L1,
  L1Quad,
  L2,       ///< ld.global.cg, 8 bytes; DRAM is a walk that misses in L2
  ReadOnly, ///< ld.global.nc, 8 bytes
  Texture,  ///< tex1Dfetch of 4 bytes; the value is the next index
  Constant, ///< ld.const, 4 bytes
  Local     ///< ld.local, 4 bytes
};

// Variables and not functions, which device code could not call.
template <Memory M>
constexpr bool IsShared =
    M == Memory::Shared || M == Memory::Shared8 || M == Memory::Shared16;
/// Memories that the kernel itself fills; positions are offsets into them.
template <Memory M>
constexpr bool IsPrivate = IsShared<M> || M == Memory::Local;
/// The value of a load is a 64-bit address in global memory.
template <Memory M>
constexpr bool IsGlobal =
    M == Memory::L1Word || M == Memory::L1 || M == Memory::L1Quad ||
    M == Memory::L2 || M == Memory::ReadOnly;

/// Fang et al. 2017 walk through 2048 integers.
constexpr unsigned ArrayWords = 2048;
/// Loads between two branches.
constexpr unsigned Unroll = 64;
/// Brackets that one launch of trace can log.
constexpr unsigned MaxTrace = 4096;

/// What a kernel walks. Positions are addresses as the memory's load takes
/// them; for a private memory they are offsets.
struct Route {
  uint64_t WarmFrom = 0; ///< a walk of its own before the clock starts
  unsigned WarmSteps = 0;
  uint64_t From = 0;
  unsigned Steps = 0;  ///< a multiple of Unroll
  unsigned Passes = 2; ///< the last one counts; those before warm the caches
  const uint32_t *Image = nullptr; ///< contents of a private memory
  unsigned ImageWords = 0;
  uint32_t High = 0; ///< upper half of every address, for L1Word
  cudaTextureObject_t Texture = 0;
};

template <Memory M>
__device__ __forceinline__ uint64_t step(uint64_t At, const Route &R) {
  const uint32_t Low = uint32_t(At);
  uint32_t Next = Low, Rest;
  uint64_t Long = At, LongRest;
  if constexpr (M == Memory::Shared)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(Next) : "r"(Low));
  else if constexpr (M == Memory::Shared8)
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(Next), "=r"(Rest)
                 : "r"(Low));
  else if constexpr (M == Memory::Shared16)
    asm volatile("{ .reg .u32 Z, W; ld.shared.v4.u32 {%0, %1, Z, W}, [%2]; }"
                 : "=r"(Next), "=r"(Rest)
                 : "r"(Low));
  else if constexpr (M == Memory::Constant)
    asm volatile("ld.const.u32 %0, [%1];" : "=r"(Next) : "l"(At));
  else if constexpr (M == Memory::Local)
    asm volatile("ld.local.u32 %0, [%1];" : "=r"(Next) : "r"(Low));
  else if constexpr (M == Memory::Texture)
    asm volatile("{ .reg .u32 Y, Z, W;"
                 " tex.1d.v4.u32.s32 {%0, Y, Z, W}, [%1, {%2}]; }"
                 : "=r"(Next)
                 : "l"(R.Texture), "r"(Low));
  else if constexpr (M == Memory::L1Word)
    // The upper half stays in its register; only the lower is loaded.
    asm volatile("{ .reg .u32 Low; ld.global.ca.u32 Low, [%1];"
                 " mov.b64 %0, {Low, %2}; }"
                 : "=l"(Long)
                 : "l"(At), "r"(R.High));
  else if constexpr (M == Memory::L1)
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(Long) : "l"(At));
  else if constexpr (M == Memory::L1Quad)
    asm volatile("ld.global.ca.v2.u64 {%0, %1}, [%2];"
                 : "=l"(Long), "=l"(LongRest)
                 : "l"(At));
  else if constexpr (M == Memory::L2)
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(Long) : "l"(At));
  else if constexpr (M == Memory::ReadOnly)
    asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(Long) : "l"(At));
  return IsGlobal<M> || M == Memory::Nothing ? Long : uint64_t(Next);
}

/// Fills \p Array, which begins at \p Base of its space, with pointers.
__device__ __forceinline__ void fill(uint32_t *Array, uint64_t Base,
                                     const Route &R) {
#pragma unroll 4
  for (unsigned I = 0; I < R.ImageWords; ++I)
    Array[I] = uint32_t(Base) + R.Image[I];
  // The loads are hidden from the compiler; the stores have to come first.
  asm volatile("" ::"l"(Array) : "memory");
}

/// Dynamic shared memory: a shared walk's array, or the log of a trace.
extern __shared__ uint32_t Dynamic[];

/// Makes a private memory's array; returns its address in its own space.
template <Memory M>
__device__ __forceinline__ uint64_t prepare(uint32_t *Private, const Route &R) {
  if constexpr (IsShared<M>) {
    const uint64_t Base = __cvta_generic_to_shared(Dynamic);
    fill(Dynamic, Base, R);
    return Base;
  } else if constexpr (M == Memory::Local) {
    const uint64_t Base = __cvta_generic_to_local(Private);
    fill(Private, Base, R);
    return Base;
  }
  return 0;
}

template <Memory M>
__device__ __forceinline__ void warm(uint64_t Base, const Route &R) {
  // The thread's number is 0, which the compiler does not know: a start that it
  // took for uniform could send the loads another way.
  uint64_t At = Base + R.WarmFrom + threadIdx.x;
#pragma unroll 1
  for (unsigned I = 0; I < R.WarmSteps; ++I)
    At = step<M>(At, R);
  consume(uint32_t(At));
}

/// Out[0]: cycles of the last pass over R.Steps loads; Out[1]: where it ended.
template <Memory M> __global__ void chase(Route R, uint64_t *Out) {
  uint32_t Private[M == Memory::Local ? ArrayWords : 1];
  const uint64_t Base = prepare<M>(Private, R);
  warm<M>(Base, R);
  uint64_t At = 0, Cycles = 0;
#pragma unroll 1
  for (unsigned Pass = 0; Pass < R.Passes; ++Pass) {
    At = Base + R.From + threadIdx.x;
    const uint64_t Begin = clock64Now();
#pragma unroll 1
    for (unsigned I = 0; I < R.Steps; I += Unroll) {
#pragma unroll
      for (unsigned J = 0; J < Unroll; ++J)
        At = step<M>(At, R);
    }
    consume(uint32_t(At));
    Cycles = clock64Now() - Begin;
  }
  Out[0] = Cycles;
  Out[1] = At - Base;
}

/// The cycles of each bracket, R.Steps of them, go to \p Log. They are kept in
/// shared memory meanwhile, where they disturb the walk least.
template <Memory M> __global__ void trace(Route R, uint32_t *Log) {
  uint32_t Private[M == Memory::Local ? ArrayWords : 1];
  uint32_t *Took = Dynamic + (IsShared<M> ? ArrayWords : 0);
  const uint64_t Base = prepare<M>(Private, R);
  warm<M>(Base, R);
#pragma unroll 1
  for (unsigned Pass = 0; Pass < R.Passes; ++Pass) {
    uint64_t At = Base + R.From + threadIdx.x;
#pragma unroll 1
    for (unsigned I = 0; I < R.Steps; ++I) {
      const uint32_t Begin = clockNow();
      At = step<M>(At, R);
      consume(uint32_t(At));
      Took[I] = clockNow() - Begin;
    }
  }
  for (unsigned I = 0; I < R.Steps; ++I)
    Log[I] = Took[I];
}

} // namespace warpwise::harness::walk

#endif // WARPWISE_KERNELS_THREADLATENCY_WALK_CUH
