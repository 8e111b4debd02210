// Rule: cuda-memory-gather
// Score of a motif of 20 bases at each place of a chromosome: the matrix of
// weights, indexed by the base, is read from global memory or from a copy in
// shared memory.
#include "Pair.cuh"

constexpr int Bases = 8000000, Length = 20, Places = Bases - Length + 1;
constexpr int Threads = 192;

__global__ void before(const unsigned char *__restrict__ Base,
                       const float *__restrict__ Weight,
                       float *__restrict__ Score) {
  const int I = blockIdx.x * Threads + threadIdx.x;
  if (I >= Places)
    return;
  float Sum = 0;
#pragma unroll
  for (int J = 0; J < Length; ++J)
    Sum += Weight[J * 4 + Base[I + J]];
  Score[I] = Sum;
}

__global__ void after(const unsigned char *__restrict__ Base,
                      const float *__restrict__ Weight,
                      float *__restrict__ Score) {
  __shared__ float Copy[Length][4];
  if (threadIdx.x < Length * 4)
    Copy[threadIdx.x / 4][threadIdx.x % 4] = Weight[threadIdx.x];
  __syncthreads();
  const int I = blockIdx.x * Threads + threadIdx.x;
  if (I >= Places)
    return;
  float Sum = 0;
#pragma unroll
  for (int J = 0; J < Length; ++J)
    Sum += Copy[J][Base[I + J]];
  Score[I] = Sum;
}

int main() {
  const unsigned char *Base = input<unsigned char>(Bases, 4);
  const float *Weight = input<float>(Length * 4);
  float *Expected = output<float>(Places), *Out = output<float>(Places);
  Pair P("motif-weights-shared");
  P.same(Expected, Out, Places);
  const int Blocks = (Places + Threads - 1) / Threads;
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Base, Weight, Expected);
    else
      after<<<Blocks, Threads>>>(Base, Weight, Out);
}
