// What is stored is not what was loaded, lies beside something else, or is
// asked for by data: nothing to load in its place. Each array is read by the
// thread that wrote it, and would be found otherwise.
//
// RUN: %checkpriced --checks='-*,cuda-memory-needless-staging' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Rows = 128, Columns = 8192, Block = 128;

template <class Store, class Load>
__device__ void sum(float *Out, Store Put, Load Get) {
  const int C = blockIdx.x * Block + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rows; R += 16) {
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Put(I, (R + I) * Columns + C);
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Sum += Get(I, (R + I) * Columns + C);
    __syncthreads();
  }
  Out[C] = Sum;
}

__global__ void scaled(const float *In, float Scale, float *Out) {
  __shared__ float Tile[16][Block];
  sum(
      Out, [&](int I, int At) { Tile[I][threadIdx.x] = Scale * In[At]; },
      [&](int I, int) { return Tile[I][threadIdx.x]; });
}

__global__ void mixed(const float *In, float *Out) {
  __shared__ float Tile[16][Block];
  sum(
      Out,
      [&](int I, int At) {
        Tile[I][threadIdx.x] = I == 3 ? float(At) : In[At];
      },
      [&](int I, int) { return Tile[I][threadIdx.x]; });
}

__global__ void chosen(const float *In, const int *Which, float *Out) {
  __shared__ float Tile[16][Block];
  sum(
      Out, [&](int I, int At) { Tile[I][threadIdx.x] = In[At]; },
      [&](int I, int At) { return Tile[I][Which[At] % Block]; });
}

void launch(const float *In, const int *Which, float *Out) {
  scaled<<<Columns / Block, Block>>>(In, 2, Out);
  mixed<<<Columns / Block, Block>>>(In, Out);
  chosen<<<Columns / Block, Block>>>(In, Which, Out);
}
// CHECK: note: 0 warnings in 3 kernels, 12 of 13 accesses judged
