// Rule: cuda-memory-scalar-to-vector
// GELU of a small layer, which takes hardly longer than a launch: with four
// floats per thread there are fewer blocks than SMs.
#include "Pair.cuh"

constexpr int N = 1 << 17;

__device__ float gelu(float X) {
  return 0.5f * X * (1 + tanhf(0.7978845608f * (X + 0.044715f * X * X * X)));
}

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = gelu(In[I]);
}

__global__ void after(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 V = In[I];
  Out[I] = make_float4(gelu(V.x), gelu(V.y), gelu(V.z), gelu(V.w));
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("activation-small-float4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 1024, 256>>>((const float4 *)In, (float4 *)Out);
}
