// Rule: cuda-memory-gather
// A table of 1,024 numbers, looked up by data in L1 or, copied first, in
// shared memory.
#include "Pair.cuh"

constexpr int Threads = 1 << 18, Each = 32, Table = 1024;

// Options: --buffer=Index=random,count=8388608,below=65536
__global__ void before(const unsigned short *Index, const float *From,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 4
  for (int J = 0; J < Each; ++J)
    Sum += From[Index[J * Threads + I] % Table];
  Out[I] = Sum;
}

__global__ void after(const unsigned short *Index, const float *From,
                      float *Out) {
  __shared__ float Copy[Table];
  for (int J = threadIdx.x; J < Table; J += blockDim.x)
    Copy[J] = From[J];
  __syncthreads();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 4
  for (int J = 0; J < Each; ++J)
    Sum += Copy[Index[J * Threads + I] % Table];
  Out[I] = Sum;
}

int main() {
  const unsigned short *Index =
      input<unsigned short>(size_t(Threads) * Each, 65536);
  const float *From = input<float>(Table);
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("gather-table-in-shared");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(Index, From, Expected);
    else
      after<<<Threads / 256, 256>>>(Index, From, Out);
}
