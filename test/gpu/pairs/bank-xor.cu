// Rule: cuda-memory-bank-conflict
// Rows of eight floats, one per lane, would be eight passes each time; but the
// compiler reads a row once and keeps it. Columns exchanged by xor bring
// nothing.
#include "Pair.cuh"

constexpr int Blocks = 1056, Times = 32;

__global__ void before(const float *In, float *Out) {
  __shared__ float Rows[256 * 8];
  const int T = threadIdx.x;
  for (int I = 0; I < 8; ++I)
    Rows[T + 256 * I] = In[T + 256 * I];
  __syncthreads();
  float Sum = 0;
  for (int R = 0; R < Times; ++R)
    for (int I = 0; I < 8; ++I)
      Sum += Rows[T * 8 + I] * (R + I);
  Out[blockIdx.x * 256 + T] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Rows[256 * 8];
  const int T = threadIdx.x;
  for (int I = 0; I < 8; ++I) {
    const int From = T + 256 * I;
    Rows[From ^ (From / 32 & 7)] = In[From];
  }
  __syncthreads();
  float Sum = 0;
  for (int R = 0; R < Times; ++R)
    for (int I = 0; I < 8; ++I)
      Sum += Rows[T * 8 + (I ^ (T / 4 & 7))] * (R + I);
  Out[blockIdx.x * 256 + T] = Sum;
}

int main() {
  const float *In = input<float>(2048);
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("bank-xor");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(In, Out);
}
