// Rule: cuda-memory-bank-conflict
// Columns of a tile of doubles, half a warp at a time.
#include "Pair.cuh"

constexpr int Blocks = 2112, Times = 16;

__global__ void before(const double *In, double *Out) {
  __shared__ double Tile[32][32];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = Y; I < 32; I += 8)
    Tile[I][X] = In[I * 32 + X];
  __syncthreads();
  double Sum = 0;
  for (int T = 0; T < Times; ++T)
    Sum += Tile[X][(Y + T) % 32] * T;
  Out[blockIdx.x * 256 + Y * 32 + X] = Sum;
}

__global__ void after(const double *In, double *Out) {
  __shared__ double Tile[32][33];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = Y; I < 32; I += 8)
    Tile[I][X] = In[I * 32 + X];
  __syncthreads();
  double Sum = 0;
  for (int T = 0; T < Times; ++T)
    Sum += Tile[X][(Y + T) % 32] * T;
  Out[blockIdx.x * 256 + Y * 32 + X] = Sum;
}

int main() {
  const double *In = input<double>(1024);
  double *Expected = output<double>(Blocks * 256),
         *Out = output<double>(Blocks * 256);
  Pair P("bank-double-column");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, dim3(32, 8)>>>(In, Expected);
    else
      after<<<Blocks, dim3(32, 8)>>>(In, Out);
}
