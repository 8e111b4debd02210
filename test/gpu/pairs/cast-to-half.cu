// Rule: cuda-memory-narrow-access
// Floats become halves, one or two for each thread.
#include "Pair.cuh"

#include <cuda_fp16.h>

constexpr int N = 1 << 24;

__global__ void before(const float *In, __half *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I];
}

__global__ void after(const float2 *In, __half2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = __float22half2_rn(In[I]);
}

int main() {
  const float *In = input<float>(N);
  __half *Expected = output<__half>(N), *Out = output<__half>(N);
  Pair P("cast-to-half");
  P.same((const uint16_t *)Expected, (const uint16_t *)Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(In, Expected);
    else
      after<<<N / 256, 128>>>((const float2 *)In, (__half2 *)Out);
}
