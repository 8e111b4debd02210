// Rule: cuda-memory-narrow-access
// 3072 halves are twelve blocks: pairs are half as many requests of nothing.
#include "Pair.cuh"

#include <cuda_fp16.h>

constexpr int N = 3072;

__global__ void before(__half *Out, const float *In, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = __float2half(In[I]);
}

__global__ void after(__half2 *Out, const float2 *In, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = __float22half2_rn(In[I]);
}

int main() {
  const float *In = input<float>(N);
  unsigned short *Expected = output<unsigned short>(N),
                 *Out = output<unsigned short>(N);
  Pair P("few-blocks-halves");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(reinterpret_cast<__half *>(Expected), In, N);
    else
      after<<<N / 512, 256>>>(reinterpret_cast<__half2 *>(Out),
                              reinterpret_cast<const float2 *>(In), N / 2);
}
