// Rule: cuda-memory-bank-conflict
// The tile of a transpose in DRAM, as it is and padded.
#include "Pair.cuh"

constexpr int N = 4096;

__global__ void before(const float *In, float *Out) {
  __shared__ float Tile[32][32];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = 0; I < 32; I += 8)
    Tile[Y + I][X] = In[(blockIdx.y * 32 + Y + I) * N + blockIdx.x * 32 + X];
  __syncthreads();
  for (int I = 0; I < 32; I += 8)
    Out[(blockIdx.x * 32 + Y + I) * N + blockIdx.y * 32 + X] = Tile[X][Y + I];
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
  Pair P("bank-stride-32-transpose");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(In, Out);
}
