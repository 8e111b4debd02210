// Rule: cuda-memory-bank-conflict
// Butterflies of 1,024 numbers in shared memory, as they are or with one word
// more after each 32.
#include "Pair.cuh"

constexpr int Blocks = 1024, N = 1024;

template <bool IsPadded> __device__ int place(int I) {
  return IsPadded ? I + I / 32 : I;
}

template <bool IsPadded>
__device__ void transform(const float *In, float *Out, float *Row) {
  const int T = threadIdx.x;
  for (int I = T; I < N; I += 256)
    Row[place<IsPadded>(I)] = In[blockIdx.x * N + I];
  __syncthreads();
  for (int Round = 0; Round < 5; ++Round) {
    // Each thread has four neighbours at a time: strides of 4.
    float A[4];
    for (int K = 0; K < 4; ++K)
      A[K] = Row[place<IsPadded>(T * 4 + K)];
    const float S = A[0] + A[2], D = A[0] - A[2], U = A[1] + A[3],
                V = A[1] - A[3];
    __syncthreads();
    Row[place<IsPadded>(T)] = S + U;
    Row[place<IsPadded>(T + 256)] = D + V;
    Row[place<IsPadded>(T + 512)] = S - U;
    Row[place<IsPadded>(T + 768)] = D - V;
    __syncthreads();
  }
  for (int I = T; I < N; I += 256)
    Out[blockIdx.x * N + I] = Row[place<IsPadded>(I)];
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Row[N];
  transform<false>(In, Out, Row);
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Row[N + N / 32];
  transform<true>(In, Out, Row);
}

int main() {
  const float *In = input<float>(Blocks * N);
  float *Expected = output<float>(Blocks * N), *Out = output<float>(Blocks * N);
  Pair P("bank-fourier-strides");
  P.same(Expected, Out, Blocks * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
