//===- PerSm.cuh - Work on a chosen SM --------------------------*- C++ -*-===//
//
// CUDA does not let a program choose the SM. A grid of one block per SM does:
// each block asks for more than half of the SM's shared memory, so that no two
// fit, and none ends before all are placed. Then the block whose %smid is the
// wanted one works, and the others leave.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_PERSM_CUH
#define WARPWISE_KERNELS_HARNESS_PERSM_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/profile/Paths.h"

#include <algorithm>
#include <vector>

namespace warpwise::harness {

/// Dynamic shared memory, in bytes, that leaves room for one block per SM.
inline size_t sharedOfHalfSm(const Device &D) {
  return std::min<size_t>(D.SharedBytesPerBlock, D.SharedBytesPerSm / 2 + 1024);
}

/// Lets \p K have the dynamic shared memory of sharedOfHalfSm.
template <typename Kernel> void allowHalfSm(Kernel *K, const Device &D) {
  const auto *Function = reinterpret_cast<const void *>(K);
  check(cudaFuncSetAttribute(Function,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(sharedOfHalfSm(D))));
  check(cudaFuncSetAttribute(
      Function, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
}

/// Launches \p K as one block per SM and throws for launch errors.
template <typename... Parameters, typename... Arguments>
void launchOnePerSm(void (*K)(Parameters...), const Device &D, unsigned Threads,
                    Arguments... A) {
  K<<<D.SmCount, Threads, sharedOfHalfSm(D)>>>(A...);
  check(cudaGetLastError());
}

/// 16 bytes through L2 only; volatile, as rereading the same words is the point
/// of a stream.
__device__ __forceinline__ uint4 loadWide(const uint4 *At) {
  uint4 V;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
               : "l"(At));
  return V;
}

/// Spins until a grid of one block per SM is placed: 8000 cycles, where the
/// hardware needs less than 2000 to start a block on each SM.
__device__ __forceinline__ void waitUntilPlaced() {
  const uint64_t From = clock64Now();
  while (clock64Now() - From < 8000) {
  }
}

/// For one thread of each of \p Blocks blocks on different SMs: returns when
/// all have come to this point for the \p Meeting-th time (from 1), or after a
/// million cycles, so that a missing block cannot hang the GPU. \p Arrived
/// starts at zero. Returns whether all came.
__device__ __forceinline__ bool meet(uint32_t *Arrived, unsigned Blocks,
                                     unsigned Meeting = 1) {
  atomicAdd(Arrived, 1);
  const uint64_t From = clock64Now();
  while (*static_cast<volatile uint32_t *>(Arrived) < Blocks * Meeting)
    if (clock64Now() - From > 1'000'000)
      return false;
  return true;
}

/// The GPC of each SM as sm-topology found it; empty where it could not.
inline std::vector<unsigned> gpcOfSms(const Session &S) {
  std::vector<unsigned> Gpc;
  if (const auto *Found = S.results().curve(paths::topology_sm_to_gpc))
    for (const auto &[Sm, Number] : Found->Points)
      Gpc.push_back(static_cast<unsigned>(Number));
  return Gpc;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_PERSM_CUH
