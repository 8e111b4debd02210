// Rule: cuda-memory-uncoalesced-access
// A transpose that stores down columns, and one by way of shared memory.
#include "Pair.cuh"

constexpr int N = 4096;

__global__ void before(const float *In, float *Out) {
  const int Column = blockIdx.x * 32 + threadIdx.x;
  const int Row = blockIdx.y * 8 + threadIdx.y;
  Out[Column * N + Row] = In[Row * N + Column];
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[32][33];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = 0; I < 32; I += 8)
    Tile[Y + I][X] = In[(blockIdx.y * 32 + Y + I) * N + blockIdx.x * 32 + X];
  __syncthreads();
  for (int I = 0; I < 32; I += 8)
    Out[(blockIdx.x * 32 + Y + I) * N + blockIdx.y * 32 + X] = Tile[X][Y + I];
}

int main() {
  const float *In = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("scattered-store-transpose");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(In, Out);
}
