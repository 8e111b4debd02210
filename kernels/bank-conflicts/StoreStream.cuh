//===- StoreStream.cuh - Rates of shared stores and atomics -----*- C++ -*-===//
//
// Many warps of one SM store to shared memory, or add to it, with one pattern.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_BANK_CONFLICTS_STORESTREAM_CUH
#define WARPWISE_KERNELS_BANK_CONFLICTS_STORESTREAM_CUH

#include "kernels/harness/Stream.cuh"

namespace warpwise::harness {
inline namespace bankConflicts {

/// Bytes that a pattern may span, and between the stores in flight: they go to
/// different words, and to the same banks.
constexpr unsigned StorePitch = 4096;

template <bool Atomic, unsigned Next = 0>
__device__ __forceinline__ void storeRound(uint32_t At, uint32_t Value) {
  if constexpr (Next != LoadsInFlight) {
    if constexpr (Atomic)
      asm volatile("red.shared.add.u32 [%0 + %1], %2;" ::"r"(At),
                   "n"(Next * StorePitch), "r"(Value)
                   : "memory");
    else
      asm volatile("st.shared.u32 [%0 + %1], %2;" ::"r"(At),
                   "n"(Next * StorePitch), "r"(Value)
                   : "memory");
    storeRound<Atomic, Next + 1>(At, Value);
  }
}

/// As stream() in Stream.cuh, for one block. The lanes' words differ, so that
/// each finds its own value there in the end, or the sum of all that was added.
template <bool Atomic>
__global__ void __launch_bounds__(1024)
    storeStream(const uint32_t *Offsets, unsigned Patterns, unsigned Rounds,
                uint32_t *Cycles, unsigned *Wrong) {
  const unsigned Lane = threadIdx.x % WarpLanes;
  const uint32_t Value = Lane + 1;
#pragma unroll 1
  for (unsigned P = 0; P != Patterns; ++P) {
    for (unsigned I = threadIdx.x; I < LoadsInFlight * StorePitch / 4;
         I += blockDim.x)
      SharedWords[I] = 0;
    const uint32_t Offset = Offsets[P * WarpLanes + Lane];
    const uint32_t At =
        uint32_t(__cvta_generic_to_shared(SharedWords)) + Offset;
#pragma unroll 1
    for (unsigned Walk = 0; Walk != Walks; ++Walk) {
      const unsigned Length = Walk + 1 == Walks ? 2 * Rounds : Rounds;
      __syncthreads();
      const uint32_t Begin = clockNow();
#pragma unroll 1
      for (unsigned Round = 0; Round != Length; ++Round)
        storeRound<Atomic>(At, Value);
      __syncthreads();
      if (threadIdx.x == 0)
        Cycles[P * Walks + Walk] = clockNow() - Begin;
    }
    const uint32_t Expected =
        Atomic ? Value * (blockDim.x / WarpLanes) * (Walks + 1) * Rounds
               : Value;
    for (unsigned I = 0; I != LoadsInFlight; ++I)
      if (SharedWords[(Offset + I * StorePitch) / 4] != Expected)
        atomicAdd(Wrong, 1);
    __syncthreads();
  }
}

template <bool Atomic> class StoreStream {
public:
  explicit StoreStream(unsigned Warps) : Warps(Warps) {}

  /// SM cycles per request for each of \p Patterns, whose lanes have different
  /// words.
  std::vector<double> cycles(const std::vector<Pattern> &Patterns) {
    constexpr unsigned Rounds = 8;
    withRoom(Offsets, Patterns.size() * WarpLanes)
        .upload(offsetTable(Patterns));
    withRoom(Cycles, Patterns.size() * Walks);
    Wrong.zero();
    storeStream<Atomic><<<1, Warps * WarpLanes, LoadsInFlight * StorePitch>>>(
        Offsets.get(), unsigned(Patterns.size()), Rounds, Cycles.get(),
        Wrong.get());
    finish();
    if (Wrong.download()[0] != 0)
      throw CudaFailure("shared memory does not hold what was stored");
    const std::vector<uint32_t> Took = Cycles.download(Patterns.size() * Walks);
    std::vector<double> Result;
    for (size_t P = 0; P != Patterns.size(); ++P)
      Result.push_back(
          (double(Took[P * Walks + 2]) - double(Took[P * Walks + 1])) /
          (Rounds * LoadsInFlight * Warps));
    return Result;
  }

private:
  unsigned Warps;
  Buffer<uint32_t> Offsets, Cycles;
  Buffer<unsigned> Wrong{1};
};

} // namespace bankConflicts
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_BANK_CONFLICTS_STORESTREAM_CUH
