// Rule: cuda-memory-split-gather
// Each of four million cells is of one of 64 materials: two properties come
// from two arrays, which L1 holds, or from one of pairs.
#include "Pair.cuh"

constexpr int N = 1 << 22, Kinds = 64;

__global__ void before(const int *__restrict__ Kind,
                       const float *__restrict__ Density,
                       const float *__restrict__ Heat,
                       const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int K = Kind[I];
  Out[I] = In[I] * Density[K] + Heat[K];
}

__global__ void after(const int *__restrict__ Kind,
                      const float2 *__restrict__ Both,
                      const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 K = Both[Kind[I]];
  Out[I] = In[I] * K.x + K.y;
}

int main() {
  const int *Kind = input<int>(N, Kinds);
  const float *In = input<float>(N), *Apart = input<float>(2 * Kinds);
  const float *Together = arranged(Apart, 2 * Kinds, 2 * Kinds, [](size_t I) {
    return I % 2 * Kinds + I / 2;
  });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("materials-of-few-kinds");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Kind, Apart, Apart + Kinds, In, Expected);
    else
      after<<<N / 256, 256>>>(Kind, (const float2 *)Together, In, Out);
}
