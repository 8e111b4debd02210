//===- AsyncCopy.cuh - Copies to shared memory that run ahead ---*- C++ -*-===//
//
// cp.async without a header of the toolkit, so that the kernels can be analysed
// where there is none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_ASYNCCOPY_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_ASYNCCOPY_CUH

#include <cstdint>

namespace mnf {

/// Starts to copy 16 bytes, of which the last 16 - \p Bytes become zero.
__device__ inline void copyAsync(uint8_t *Shared, const uint8_t *Global,
                                 int Bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(uint32_t(__cvta_generic_to_shared(Shared))), "l"(Global),
                 "r"(Bytes)
               : "memory");
}

/// Ends a group of copies, which may be empty.
__device__ inline void commitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Returns when all groups of this thread but the last \p Running are there.
template <int Running> __device__ inline void waitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Running) : "memory");
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_ASYNCCOPY_CUH
