// Rule: cuda-memory-scalar-stream
// A grid that fills the GPU once walks over 8 MB, which L2 holds, four bytes or
// sixteen bytes a lane at a time.
#include "Pair.cuh"

constexpr int N = 1 << 21, Blocks = 132 * 4, Threads = 512;

__global__ void before(float *Out, const float *In) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N; I += Blocks * Threads)
    Out[I] = 2 * In[I];
}

__global__ void after(float4 *Out, const float4 *In) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N / 4;
       I += Blocks * Threads) {
    const float4 V = In[I];
    Out[I] = {2 * V.x, 2 * V.y, 2 * V.z, 2 * V.w};
  }
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("stream-loop-in-l2");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Expected, In);
    else
      after<<<Blocks, Threads>>>(reinterpret_cast<float4 *>(Out),
                                 reinterpret_cast<const float4 *>(In));
}
