//===- Queued.cuh - GPU time without the host's share -------------*- C++
//-*-==//
//
// Events around a launch on an idle device also time how long the host takes to
// submit it: a few microseconds, and they vary. Here the device spins until
// the host has queued everything, so that only GPU time lies between the
// events.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_MEMORYBANDWIDTH_QUEUED_CUH
#define WARPWISE_KERNELS_MEMORYBANDWIDTH_QUEUED_CUH

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"

#include <functional>

namespace warpwise::harness {
namespace {

__global__ void spinFor(uint64_t Nanoseconds) {
  const uint64_t From = globalNanoseconds();
  while (globalNanoseconds() - From < Nanoseconds)
    ;
}

/// Milliseconds of GPU time that the launches in \p Launch take. \p Before is
/// queued ahead of them and is not timed. \p Hold is how long the device waits
/// for the host to queue, in nanoseconds.
inline double queuedMilliseconds(const std::function<void()> &Launch,
                                 const std::function<void()> &Before = {},
                                 uint64_t Hold = 30'000) {
  struct Event {
    cudaEvent_t It;
    Event() { check(cudaEventCreate(&It)); }
    ~Event() { cudaEventDestroy(It); }
  } Begin, End;
  finish();
  if (Before)
    Before();
  spinFor<<<1, 1>>>(Hold);
  check(cudaEventRecord(Begin.It));
  Launch();
  check(cudaEventRecord(End.It));
  finish();
  float Time = 0;
  check(cudaEventElapsedTime(&Time, Begin.It, End.It));
  return Time;
}

/// \p Bytes in \p Milliseconds as GB/s.
inline double gigabytesPerSecond(double Bytes, double Milliseconds) {
  return Bytes / Milliseconds / 1e6;
}

} // namespace
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_MEMORYBANDWIDTH_QUEUED_CUH
