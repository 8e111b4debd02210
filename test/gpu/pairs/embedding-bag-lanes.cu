// Rule: cuda-memory-gather
// Bags of sixteen words, each a row of 64 numbers, are added up: a thread has a
// bag and walks along its rows, or 64 threads have the numbers of one.
// Options: --buffer=Words=random,count=262144,below=100000
#include "Pair.cuh"

constexpr int Bags = 16384, Each = 16, Dims = 64, Rows = 100000;

__global__ void before(const int *Words, const float *Table, float *Out) {
  const int B = blockIdx.x * blockDim.x + threadIdx.x;
  for (int D = 0; D < Dims; ++D) {
    float Sum = 0;
    for (int W = 0; W < Each; ++W)
      Sum += Table[Words[B * Each + W] * Dims + D];
    Out[B * Dims + D] = Sum / Each;
  }
}

__global__ void after(const int *Words, const float *Table, float *Out) {
  const int B = blockIdx.x * blockDim.y + threadIdx.y, D = threadIdx.x;
  float Sum = 0;
  for (int W = 0; W < Each; ++W)
    Sum += Table[Words[B * Each + W] * Dims + D];
  Out[B * Dims + D] = Sum / Each;
}

int main() {
  const int *Words = input<int>(Bags * Each, Rows);
  const float *Table = input<float>(Rows * Dims);
  float *Expected = output<float>(Bags * Dims), *Out = output<float>(Bags * Dims);
  Pair P("embedding-bag-lanes");
  P.same(Expected, Out, Bags * Dims);
  while (P.next())
    if (P.beforesTurn())
      before<<<Bags / 128, 128>>>(Words, Table, Expected);
    else
      after<<<Bags / 4, dim3(Dims, 4)>>>(Words, Table, Out);
}
