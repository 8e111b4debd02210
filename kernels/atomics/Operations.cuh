//===- Operations.cuh - Atomics and the kernels that time them --*- C++ -*-===//
//
// Written as PTX with run-time operands and addresses: nvcc turns an atomicAdd
// of a constant to one address into a single one per warp, and that is not
// what the memory does.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_ATOMICS_OPERATIONS_CUH
#define WARPWISE_KERNELS_ATOMICS_OPERATIONS_CUH

#include "kernels/harness/Timing.cuh"

#include <cstdint>
#include <type_traits>

namespace warpwise::harness {
inline namespace atomics {

enum class Space { Shared, Global };

enum class Operation {
  Add,         ///< atomicAdd, the old value is used
  AddNoReturn, ///< atomicAdd, the old value is not used
  Swap         ///< atomicCAS that succeeds
};

enum class Scope { Block, Gpu, System };

/// Which word each lane hits.
struct Pattern {
  unsigned Degree = 1;    ///< lanes that share a word
  unsigned LanePitch = 1; ///< words between neighbouring groups of lanes
  unsigned WarpPitch = 0; ///< words between neighbouring warps
  unsigned Mask = ~0u;    ///< of word numbers, which wrap around there

  __device__ unsigned word(unsigned Lane, unsigned Warp) const {
    return (Lane / Degree * LanePitch + Warp * WarpPitch) & Mask;
  }
};

/// Words of shared memory: 32 rows with a pad, so that a lane's row and bank
/// are its own.
constexpr unsigned SharedWords = 32 * 33;
constexpr unsigned Threads = 1024, PerRound = 4;

/// 32 bits for shared memory, 64 for global.
template <Space In>
using Address = std::conditional_t<In == Space::Shared, uint32_t, uint64_t>;

/// The old value, or 0 if it is not used. Add adds \p Value; Swap expects it
/// and writes it.
template <Space In, Operation Op, Scope For = Scope::Gpu>
__device__ __forceinline__ uint32_t apply(Address<In> At, uint32_t Value) {
  uint32_t Old = 0;
  if constexpr (In == Space::Shared) {
    if constexpr (Op == Operation::Add)
      asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                   : "=r"(Old)
                   : "r"(At), "r"(Value)
                   : "memory");
    else if constexpr (Op == Operation::AddNoReturn)
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(At), "r"(Value)
                   : "memory");
    else
      asm volatile("atom.shared.cas.b32 %0, [%1], %2, %2;"
                   : "=r"(Old)
                   : "r"(At), "r"(Value)
                   : "memory");
  } else {
    if constexpr (Op == Operation::AddNoReturn)
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(At), "r"(Value)
                   : "memory");
    else if constexpr (Op == Operation::Swap)
      asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;"
                   : "=r"(Old)
                   : "l"(At), "r"(Value)
                   : "memory");
    else if constexpr (For == Scope::Block)
      asm volatile("atom.relaxed.cta.global.add.u32 %0, [%1], %2;"
                   : "=r"(Old)
                   : "l"(At), "r"(Value)
                   : "memory");
    else if constexpr (For == Scope::System)
      asm volatile("atom.relaxed.sys.global.add.u32 %0, [%1], %2;"
                   : "=r"(Old)
                   : "l"(At), "r"(Value)
                   : "memory");
    else
      asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
                   : "=r"(Old)
                   : "l"(At), "r"(Value)
                   : "memory");
  }
  return Old;
}

/// The address of word \p Index in the memory that is timed.
template <Space In>
__device__ __forceinline__ Address<In> addressOf(uint32_t *Words,
                                                 unsigned Index) {
  if constexpr (In == Space::Shared)
    return static_cast<uint32_t>(__cvta_generic_to_shared(Words + Index));
  else
    return reinterpret_cast<uint64_t>(Words + Index);
}

/// A chain of \p Steps atomics of one warp: each word holds the low half of its
/// own address and \p Addend is 0, so that an atomic returns where the next one
/// goes and nothing has to be computed between them. Out[0] gets the cycles,
/// Out[1] counts lanes that did not stay where they were.
template <Space In, Operation Op, Scope For>
__global__ void chase(Pattern P, unsigned Steps, uint32_t Addend,
                      uint32_t *Memory, uint32_t *Out) {
  __shared__ uint32_t Shared[In == Space::Shared ? SharedWords : 1];
  uint32_t *Words = In == Space::Shared ? Shared : Memory;
  const Address<In> Start = addressOf<In>(Words, P.word(threadIdx.x, 0));
  Words[P.word(threadIdx.x, 0)] = static_cast<uint32_t>(Start);
  __threadfence();
  __syncwarp();
  // Words lie within 4 GiB, so the high half does not change.
  const Address<In> High = Start - static_cast<uint32_t>(Start);
  Address<In> At = Start;
  auto Step = [&] {
    const uint32_t Low = static_cast<uint32_t>(At);
    At = High | apply<In, Op, For>(At, Op == Operation::Swap ? Low : Addend);
  };
  for (unsigned I = 0; I != 16; ++I)
    Step();
  consume(static_cast<uint32_t>(At));
  const uint32_t Begin = clockNow();
#pragma unroll 8
  for (unsigned I = 0; I < Steps; ++I)
    Step();
  consume(static_cast<uint32_t>(At));
  const uint32_t End = clockNow();
  if (threadIdx.x == 0)
    Out[0] = End - Begin;
  if (At != Start)
    atomicAdd(Out + 1, 1);
}

/// PerRound atomics in flight per thread, \p Rounds times. Cycles[b] gets what
/// block b took, Sum what all words of all blocks hold in the end, if they are
/// shared.
template <Space In, Operation Op>
__global__ void __launch_bounds__(Threads, 1)
    hammer(Pattern P, unsigned Rounds, uint32_t Value, uint32_t *Memory,
           uint64_t *Cycles, uint32_t *Sum) {
  __shared__ uint32_t Shared[In == Space::Shared ? SharedWords : 1];
  const unsigned Warp = threadIdx.x / 32, WarpsPerBlock = Threads / 32;
  if constexpr (In == Space::Shared)
    for (unsigned I = threadIdx.x; I < SharedWords; I += Threads)
      Shared[I] = 0;
  uint32_t *Words = In == Space::Shared ? Shared : Memory;
  const unsigned Place =
      In == Space::Shared ? Warp : blockIdx.x * WarpsPerBlock + Warp;
  const Address<In> At = addressOf<In>(Words, P.word(threadIdx.x % 32, Place));
  __syncthreads();
  const uint64_t Begin = clock64Now();
  uint32_t All = 0;
#pragma unroll 1
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    uint32_t Old[PerRound];
#pragma unroll
    for (unsigned K = 0; K != PerRound; ++K)
      Old[K] = apply<In, Op>(At, Value);
#pragma unroll
    for (unsigned K = 0; K != PerRound; ++K)
      All ^= Old[K];
  }
  consume(All & 0x7fffffff);
  // What returns nothing is done when a fence behind it is.
  if constexpr (Op == Operation::AddNoReturn)
    __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = clock64Now() - Begin;
  if constexpr (In == Space::Shared)
    for (unsigned I = threadIdx.x; I < SharedWords; I += Threads)
      if (Shared[I])
        atomicAdd(Sum, Shared[I]);
}

__global__ void sumWords(const uint32_t *Words, unsigned Count, uint32_t *Sum) {
  uint32_t Mine = 0;
  for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    Mine += Words[I];
  if (Mine)
    atomicAdd(Sum, Mine);
}

} // namespace atomics
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_ATOMICS_OPERATIONS_CUH
