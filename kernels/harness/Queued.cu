//===- Queued.cu - GPU time without the host's share ----------------------===//

#include "kernels/harness/Queued.h"

#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"

namespace warpwise::harness {

static __global__ void spinFor(uint64_t Nanoseconds) {
  const uint64_t From = globalNanoseconds();
  while (globalNanoseconds() - From < Nanoseconds)
    ;
}

void holdDevice(uint64_t Nanoseconds) { spinFor<<<1, 1>>>(Nanoseconds); }

double queuedMilliseconds(const std::function<void()> &Launch,
                          const std::function<void()> &Before, uint64_t Hold) {
  struct Event {
    cudaEvent_t It;
    Event() { check(cudaEventCreate(&It)); }
    ~Event() { cudaEventDestroy(It); }
  } Begin, End;
  finish();
  if (Before)
    Before();
  holdDevice(Hold);
  check(cudaEventRecord(Begin.It));
  Launch();
  check(cudaEventRecord(End.It));
  finish();
  float Time = 0;
  check(cudaEventElapsedTime(&Time, Begin.It, End.It));
  return Time;
}

} // namespace warpwise::harness
