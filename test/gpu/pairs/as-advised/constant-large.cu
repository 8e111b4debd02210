// Rule: cuda-memory-missing-reuse
// Sums of distances from 32 KB of numbers that all lanes read alike. As
// advised, a block brings tiles of them into shared memory, each thread one
// element, and reads them there.
#include "../Pair.cuh"

constexpr int Blocks = 1056, Words = 8192, Tile = 256;

__global__ void before(const float *Table, const float *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
  for (int W = 0; W < Words; ++W)
    Sum += fabsf(X - Table[W]);
  Out[I] = Sum;
}

__global__ void after(const float *Table, const float *In, float *Out) {
  __shared__ float Part[Tile];
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
  for (int First = 0; First < Words; First += Tile) {
    Part[threadIdx.x] = Table[First + threadIdx.x];
    __syncthreads();
    for (int W = 0; W < Tile; ++W)
      Sum += fabsf(X - Part[W]);
    __syncthreads();
  }
  Out[I] = Sum;
}

int main() {
  const float *Table = input<float>(Words), *In = input<float>(Blocks * 256);
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("constant-large-as-advised");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Table, In, Expected);
    else
      after<<<Blocks, 256>>>(Table, In, Out);
}
