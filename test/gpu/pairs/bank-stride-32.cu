// Rule: cuda-memory-bank-conflict
// Columns of a 32x32 tile are read again and again: 32 passes, padded one.
#include "Pair.cuh"

constexpr int Blocks = 2112, Times = 16;

__global__ void before(const float *In, float *Out) {
  __shared__ float Tile[32][32];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = Y; I < 32; I += 8)
    Tile[I][X] = In[I * 32 + X];
  __syncthreads();
  float Sum = 0;
  for (int T = 0; T < Times; ++T)
    for (int I = 0; I < 4; ++I)
      Sum += Tile[X][(Y + 8 * I + T) % 32] * T;
  Out[blockIdx.x * 256 + Y * 32 + X] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[32][33];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = Y; I < 32; I += 8)
    Tile[I][X] = In[I * 32 + X];
  __syncthreads();
  float Sum = 0;
  for (int T = 0; T < Times; ++T)
    for (int I = 0; I < 4; ++I)
      Sum += Tile[X][(Y + 8 * I + T) % 32] * T;
  Out[blockIdx.x * 256 + Y * 32 + X] = Sum;
}

int main() {
  const float *In = input<float>(1024);
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("bank-stride-32");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, dim3(32, 8)>>>(In, Expected);
    else
      after<<<Blocks, dim3(32, 8)>>>(In, Out);
}
