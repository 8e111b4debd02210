// Rule: cuda-memory-constant-candidate
// 32 KB that all lanes read alike, more than the first constant cache holds.
#include "Pair.cuh"

constexpr int Blocks = 1056, Words = 8192;

__constant__ float Weights[Words];

__global__ void before(const float *Table, const float *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
  for (int W = 0; W < Words; ++W)
    Sum += fabsf(X - Table[W]);
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
  for (int W = 0; W < Words; ++W)
    Sum += fabsf(X - Weights[W]);
  Out[I] = Sum;
}

int main() {
  const float *Table = input<float>(Words), *In = input<float>(Blocks * 256);
  must(cudaMemcpyToSymbol(Weights, Table, sizeof(Weights), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("constant-large");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Table, In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
