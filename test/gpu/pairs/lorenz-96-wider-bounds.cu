// Rule: cuda-memory-register-spill
// Twenty steps of Lorenz's model of 36 variables for 131072 members of an
// ensemble, a thread each: launch bounds ask for eight blocks on each
// multiprocessor, which leaves 32 registers, or do not ask.
#include "Pair.cuh"

constexpr int N = 1 << 17, Variables = 36, Steps = 20;

__device__ __forceinline__ void change(const float (&X)[Variables],
                                       float (&D)[Variables]) {
#pragma unroll
  for (int J = 0; J < Variables; ++J)
    D[J] = (X[(J + 1) % Variables] - X[(J + Variables - 2) % Variables]) *
               X[(J + Variables - 1) % Variables] -
           X[J] + 8.0f;
}

__device__ __forceinline__ void integrate(const float *In, float *Out, int I) {
  const float H = 0.005f;
  float X[Variables], D[Variables], M[Variables];
#pragma unroll
  for (int J = 0; J < Variables; ++J)
    X[J] = In[J * N + I];
#pragma unroll 1
  for (int S = 0; S < Steps; ++S) {
    change(X, D);
#pragma unroll
    for (int J = 0; J < Variables; ++J)
      M[J] = X[J] + 0.5f * H * D[J];
    change(M, D);
#pragma unroll
    for (int J = 0; J < Variables; ++J)
      X[J] += H * D[J];
  }
#pragma unroll
  for (int J = 0; J < Variables; ++J)
    Out[J * N + I] = X[J];
}

__global__ void __launch_bounds__(256, 8)
    before(const float *__restrict__ In, float *__restrict__ Out) {
  integrate(In, Out, blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void __launch_bounds__(256)
    after(const float *__restrict__ In, float *__restrict__ Out) {
  integrate(In, Out, blockIdx.x * blockDim.x + threadIdx.x);
}

int main() {
  const float *In = input<float>(N * Variables);
  float *Expected = output<float>(N * Variables),
        *Out = output<float>(N * Variables);
  Pair P("lorenz-96-wider-bounds");
  P.same(Expected, Out, N * Variables);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
