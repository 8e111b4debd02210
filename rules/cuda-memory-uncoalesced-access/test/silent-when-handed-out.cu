// What does not fit is put together in records, each where an atomic says: the
// atomic is what these lanes wait for.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

struct Outlier {
  float Value;
  unsigned At;
};

__global__ void collect(const float *In, Outlier *Out, unsigned *Count,
                        unsigned Most) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (In[I] > 1) {
    const unsigned At = atomicAdd(Count, 1);
    if (At <= Most)
      Out[At] = {In[I], I};
  }
}

void launch(const float *In, Outlier *Out, unsigned *Count, unsigned Most) {
  collect<<<1 << 14, 256>>>(In, Out, Count, Most);
}
