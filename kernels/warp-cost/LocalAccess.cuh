//===- LocalAccess.cuh - A private array in local memory --------*- C++ -*-===//
//
// An array whose index only the run knows lies in local memory. Following the
// indices that it holds costs address and load for each access, which a
// register would not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_WARP_COST_LOCALACCESS_CUH
#define WARPWISE_KERNELS_WARP_COST_LOCALACCESS_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"

namespace warpwise::harness {
inline namespace warpCost {

constexpr unsigned PrivateWords = 63;

/// Steps through the array (or, without it, nowhere) with one multiply-add
/// after another. \p One and \p Jump are not known to the compiler. Cycles of
/// as many steps as \p Steps and of twice as many; \p End is where it ended.
template <bool InLocal>
__global__ void privateWalk(unsigned Steps, uint32_t One, uint32_t Jump,
                            uint32_t *Cycles, uint32_t *End) {
  uint32_t Next[PrivateWords];
  for (uint32_t I = 0; I != PrivateWords; ++I)
    Next[I] = (I + Jump) % PrivateWords;
  uint32_t Now = 0;
#pragma unroll 1
  for (unsigned Walk = 0; Walk != 3; ++Walk) {
    const unsigned Length = Walk == 2 ? 2 * Steps : Steps;
    const uint32_t From = clockNow();
#pragma unroll 1
    for (unsigned Step = 0; Step != Length; Step += 32)
#pragma unroll
      for (unsigned I = 0; I != 32; ++I) {
        if constexpr (InLocal)
          Now = Next[Now];
        asm volatile("mad.lo.u32 %0, %0, %1, %2;"
                     : "+r"(Now)
                     : "r"(One), "r"(One - 1));
      }
    consume(Now);
    const uint32_t Took = clockNow() - From;
    if (threadIdx.x == 0)
      Cycles[Walk] = Took;
  }
  // The array is used by either, lest only one of them builds it.
  End[threadIdx.x] = InLocal ? Now : Next[Now];
}

/// Cycles per step of one warp.
template <bool InLocal> double privateStep() {
  constexpr unsigned Steps = 512, Jump = 17;
  Buffer<uint32_t> Cycles(3), End(32);
  privateWalk<InLocal><<<1, 32>>>(Steps, 1, Jump, Cycles.get(), End.get());
  finish();
  const uint32_t Expected = InLocal ? 4 * Steps * Jump % PrivateWords : Jump;
  for (uint32_t Ended : End.download())
    if (Ended != Expected)
      throw CudaFailure("the walk through a private array ended astray");
  const std::vector<uint32_t> Took = Cycles.download();
  return (double(Took[2]) - double(Took[1])) / Steps;
}

} // namespace warpCost
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_WARP_COST_LOCALACCESS_CUH
