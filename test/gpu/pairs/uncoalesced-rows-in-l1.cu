// Rule: cuda-memory-uncoalesced-access
// Lanes go along rows of 32 floats again and again. L1 would serve them, but
// the rows of all threads of an SM are as large as L1, and each hit is a line.
#include "Pair.cuh"

constexpr int Threads = 1 << 17, Columns = 32, Times = 8;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 1
  for (int T = 0; T < Times; ++T)
    for (int C = 0; C < Columns; ++C)
      Sum += In[I * Columns + (C + T) % Columns] * T;
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 1
  for (int T = 0; T < Times; ++T)
    for (int C = 0; C < Columns; ++C)
      Sum += In[(C + T) % Columns * Threads + I] * T;
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(Threads * Columns);
  const float *Turned =
      arranged(In, Threads * Columns, Threads * Columns,
               [](size_t I) { return I % Threads * Columns + I / Threads; });
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("uncoalesced-rows-in-l1");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(Turned, Out);
}
