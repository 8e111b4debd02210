// Rule: cuda-memory-constant-nonuniform
// 32 different words of constant memory a request, or a line from L1.
#include "Pair.cuh"

constexpr int Blocks = 2112, Times = 32;

__constant__ float Weights[2048];

__global__ void before(float *Out) {
  float Sum = 0;
  for (int I = 0; I < Times; ++I)
    Sum += Weights[I * 32 + threadIdx.x % 32] * I;
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

__global__ void after(const float *Table, float *Out) {
  float Sum = 0;
  for (int I = 0; I < Times; ++I)
    Sum += Table[I * 32 + threadIdx.x % 32] * I;
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

int main() {
  const float *Table = input<float>(2048);
  must(cudaMemcpyToSymbol(Weights, Table, 2048 * sizeof(float), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("constant-indexed-by-lane");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Expected);
    else
      after<<<Blocks, 256>>>(Table, Out);
}
