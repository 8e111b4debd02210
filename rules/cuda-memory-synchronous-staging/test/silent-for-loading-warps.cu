// One warp brings the tiles that the others work on, a tile ahead: nobody waits
// for its own loads.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-synchronous-staging' --min-gain=0 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: 0 warnings in 1 kernel

void __syncthreads();

__global__ void sums(const float4 *In, float *Out) {
  __shared__ float4 Tile[2][256];
  const int First = blockIdx.x * 64 * 256;
  float Sum = 0;
  for (int T = 0; T < 64; ++T) {
    if (threadIdx.x < 32)
      for (int I = threadIdx.x; I < 256; I += 32)
        Tile[T % 2][I] = In[First + T * 256 + I];
    else if (T > 0)
      for (int I = 0; I < 32; ++I)
        Sum += Tile[(T + 1) % 2][I * 8 + threadIdx.x % 8].x;
    __syncthreads();
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

void run(const float4 *In, float *Out) {
  sums<<<264, 256>>>(In, Out);
}
