// Who knows whether rows that are longer by a word are better or worse? An odd
// number of words is what keeps lanes a row apart on different banks.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 | FileCheck %s

__global__ void rows(float *Out, const float *In, int Pitch) {
  extern __shared__ float Rows[];
  for (int K = 0; K < Pitch; ++K)
    Rows[threadIdx.x * Pitch + K] = In[threadIdx.x + K * 64];
  // CHECK: [[@LINE-1]]:35: warning: shared store is a {{[0-9]+}}-way bank conflict
  // CHECK: note: make each row of 'Rows' an odd multiple of 4 bytes long, so that lanes a row apart fall on different banks
  __syncthreads();
  Out[threadIdx.x] = Rows[threadIdx.x ^ 1];
}

void launch(float *Out, const float *In, int Pitch) {
  rows<<<64, 64, 16384>>>(Out, In, Pitch);
}
