// Rule: cuda-memory-idle-lanes
// One lane of four does the work of four, or each lane its own.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__device__ float heavy(float X) {
  for (int R = 0; R < 24; ++R)
    X = X * 0.99f + sqrtf(X);
  return X;
}

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 4 == 0)
    for (int J = 0; J < 4; ++J)
      Out[I + J] = heavy(In[I + J]);
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = heavy(In[I]);
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("idle-lanes-every-fourth");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
