// What the host code limits the grid to: so few blocks do not fill the GPU, and
// are priced as they are.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' --gpu=h200 \
// RUN:   %s -- 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' --gpu=h200 \
// RUN:   --format=json %s -- 2>/dev/null | FileCheck %s --check-prefix=JSON

#include <algorithm>

__global__ void few(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4), 896 of their bytes unused by it; on a grid of 16 blocks at most {{(about 1|hardly)}}
  Out[I] = In[I * 64];
}

__global__ void many(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4), 896 of their bytes unused by it; if the grid fills the GPU about
  Out[I] = In[I * 64];
}

void launch(const float *In, float *Out, int N) {
  few<<<std::min(N / 256, 16), 256>>>(In, Out);
  many<<<std::min(N / 256, 65535), 256>>>(In, Out);
}
// JSON-DAG: "most_blocks": 16
// JSON-DAG: "fills_gpu": true
