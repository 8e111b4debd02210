// Rule: cuda-memory-narrow-access
// An activation of halves, with as much arithmetic as GELU has, in blocks of
// 512.
#include "Pair.cuh"

#include <cuda_fp16.h>

constexpr int N = 1 << 22;

__device__ float gelu(float X) {
  return 0.5f * X * (1 + tanhf(0.7978846f * (X + 0.044715f * X * X * X)));
}

__global__ void before(const __half *In, __half *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = gelu(In[I]);
}

__global__ void after(const __half2 *In, __half2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 X = __half22float2(In[I]);
  Out[I] = __floats2half2_rn(gelu(X.x), gelu(X.y));
}

int main() {
  std::vector<__half> Values;
  for (const float X : onHost(input<float>(N), N))
    Values.push_back(__float2half(X / 16 - 3));
  const __half *In = onDevice(Values);
  __half *Expected = output<__half>(N), *Out = output<__half>(N);
  Pair P("halves-with-work");
  P.same((const uint16_t *)Expected, (const uint16_t *)Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(In, Expected);
    else
      after<<<N / 1024, 512>>>((const __half2 *)In, (__half2 *)Out);
}
