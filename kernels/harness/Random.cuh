//===- Random.cuh - Places in random order on the device --------*- C++ -*-===//

#ifndef WARPWISE_KERNELS_HARNESS_RANDOM_CUH
#define WARPWISE_KERNELS_HARNESS_RANDOM_CUH

namespace warpwise::harness {

/// Every bit of \p X changes about half of the result's: the finalizer
/// "lowbias32" of C. Wellons' hash-prospector.
__device__ inline unsigned mixed(unsigned X) {
  X = (X ^ X >> 16) * 0x7feb352du;
  X = (X ^ X >> 15) * 0x846ca68bu;
  return X ^ X >> 16;
}

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_RANDOM_CUH
