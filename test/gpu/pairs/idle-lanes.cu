// Rule: cuda-memory-idle-lanes
// One lane of eight works, or all of fewer warps.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__device__ float rooted(float X) {
  for (int I = 0; I < 32; ++I)
    X = sqrtf(X + I);
  return X;
}

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I % 8 == 0)
    Out[I / 8] = rooted(In[I / 8]);
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = rooted(In[I]);
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("idle-lanes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 32, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
