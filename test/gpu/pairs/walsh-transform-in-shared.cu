// Rule: cuda-memory-block-scratch
// Walsh-Hadamard transforms of 4096 rows of 1024 numbers: the ten passes of a
// block go through global memory, or through shared memory.
#include "Pair.cuh"

constexpr int Rows = 4096, Long = 1024, Threads = 256;

__device__ void transform(float *Row, int T) {
  for (int Step = 1; Step < Long; Step *= 2) {
    for (int P = T; P < Long / 2; P += Threads) {
      const int I = P / Step * 2 * Step + P % Step;
      const float A = Row[I], B = Row[I + Step];
      Row[I] = A + B;
      Row[I + Step] = A - B;
    }
    __syncthreads();
  }
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  float *Row = Out + blockIdx.x * Long;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Row[I] = In[blockIdx.x * Long + I];
  __syncthreads();
  transform(Row, threadIdx.x);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float Row[Long];
  for (int I = threadIdx.x; I < Long; I += Threads)
    Row[I] = In[blockIdx.x * Long + I];
  __syncthreads();
  transform(Row, threadIdx.x);
  for (int I = threadIdx.x; I < Long; I += Threads)
    Out[blockIdx.x * Long + I] = Row[I];
}

int main() {
  const float *In = input<float>(Rows * Long);
  float *Expected = output<float>(Rows * Long),
        *Out = output<float>(Rows * Long);
  Pair P("walsh-transform-in-shared");
  P.same(Expected, Out, Rows * Long);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(In, Expected);
    else
      after<<<Rows, Threads>>>(In, Out);
}
