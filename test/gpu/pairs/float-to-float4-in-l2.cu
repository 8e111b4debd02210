// Rule: cuda-memory-scalar-to-vector
// As float-to-float4, with arrays that stay in L2.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

__global__ void after(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 V = In[I];
  Out[I] = make_float4(2 * V.x, 2 * V.y, 2 * V.z, 2 * V.w);
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("float-to-float4-in-l2");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 1024, 256>>>((const float4 *)In, (float4 *)Out);
}
