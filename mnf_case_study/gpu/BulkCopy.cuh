//===- BulkCopy.cuh - Boxes that the copy engine brings ---------*- C++ -*-===//
//
// Hopper's bulk copies and the barriers in shared memory that they complete.
// One thread asks for a box; who needs it waits for its barrier.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_BULKCOPY_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_BULKCOPY_CUH

#include "TensorMap.h"

namespace mnf {

/// A barrier in shared memory. It has phases, even and odd ones in turns; one
/// is over when all that were announced have arrived and all bytes are there.
class Barrier {
public:
  __device__ void start(int Arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(address()), "r"(Arrivals)
                 : "memory");
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :
                 : "r"(address())
                 : "memory");
  }
  /// Arrives; the phase also waits for so many bytes of copies.
  __device__ void arriveWith(int Bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(address()), "r"(Bytes)
                 : "memory");
  }
  /// Returns when the phase of this parity is over. The one before the first is
  /// odd, and over.
  __device__ void wait(int Parity) const {
    asm volatile("{\n"
                 ".reg .pred Over;\n"
                 "mnfWait%=:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 Over, [%0], %1;\n"
                 "@!Over bra mnfWait%=;\n"
                 "}"
                 :
                 : "r"(address()), "r"(Parity)
                 : "memory");
  }

  __device__ uint32_t address() const {
    return uint32_t(__cvta_generic_to_shared(&State));
  }

private:
  uint64_t State;
};

/// Makes barriers that this thread started known to the copy engine.
__device__ inline void publishBarriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Starts to copy the box that begins at a pixel and a band.
__device__ inline void copyBox(uint8_t *Shared, const TensorMap &From,
                               int Pixel, int Band, Barrier &Done) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               :
               : "r"(uint32_t(__cvta_generic_to_shared(Shared))), "l"(&From),
                 "r"(Pixel), "r"(Band), "r"(Done.address())
               : "memory");
}

/// The same of a box that is read once: it is the first to leave L2 again, and
/// makes room for what others are about to read.
__device__ inline void copyBoxOnce(uint8_t *Shared, const TensorMap &From,
                                   int Pixel, int Band, Barrier &Done) {
  uint64_t Policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(Policy));
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes.L2::cache_hint"
               " [%0], [%1, {%2, %3}], [%4], %5;"
               :
               : "r"(uint32_t(__cvta_generic_to_shared(Shared))), "l"(&From),
                 "r"(Pixel), "r"(Band), "r"(Done.address()), "l"(Policy)
               : "memory");
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_BULKCOPY_CUH
