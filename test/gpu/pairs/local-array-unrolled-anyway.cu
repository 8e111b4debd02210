// Rule: cuda-memory-local-array
// The loops over the array have constant bounds: the compiler unrolls them
// without being told.
#include "Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float V[8];
  for (int K = 0; K < 8; ++K)
    V[K] = In[K * N + I];
  float Sum = 0;
  for (int K = 0; K < 8; ++K)
    Sum += V[K] * V[7 - K];
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float V[8];
#pragma unroll
  for (int K = 0; K < 8; ++K)
    V[K] = In[K * N + I];
  float Sum = 0;
#pragma unroll
  for (int K = 0; K < 8; ++K)
    Sum += V[K] * V[7 - K];
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(8 * N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("local-array-unrolled-anyway");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
