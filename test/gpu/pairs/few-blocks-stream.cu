// Rule: cuda-memory-scalar-stream
// 32 blocks walk over 32 MB, four bytes or sixteen bytes a lane at a time.
#include "Pair.cuh"

constexpr int N = 1 << 23, Blocks = 32;

__global__ void before(float *Out, const float *In) {
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N; I += Blocks * 512)
    Out[I] = 2 * In[I];
}

__global__ void after(float4 *Out, const float4 *In) {
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N / 4; I += Blocks * 512) {
    const float4 V = In[I];
    Out[I] = {2 * V.x, 2 * V.y, 2 * V.z, 2 * V.w};
  }
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("few-blocks-stream");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 512>>>(Expected, In);
    else
      after<<<Blocks, 512>>>(reinterpret_cast<float4 *>(Out),
                             reinterpret_cast<const float4 *>(In));
}
