// Rule: cuda-memory-bank-conflict
// An image of bytes is turned by tiles of 32x32: a column is eight words from
// the next, or nine.
#include "Pair.cuh"

constexpr int N = 4096;

__global__ void before(const unsigned char *In, unsigned char *Out) {
  __shared__ unsigned char Tile[32][32];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = Y; I < 32; I += 8)
    Tile[I][X] = In[(blockIdx.y * 32 + I) * N + blockIdx.x * 32 + X];
  __syncthreads();
  for (int I = Y; I < 32; I += 8)
    Out[(blockIdx.x * 32 + I) * N + blockIdx.y * 32 + X] = Tile[X][I];
}

__global__ void after(const unsigned char *In, unsigned char *Out) {
  __shared__ unsigned char Tile[32][36];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = Y; I < 32; I += 8)
    Tile[I][X] = In[(blockIdx.y * 32 + I) * N + blockIdx.x * 32 + X];
  __syncthreads();
  for (int I = Y; I < 32; I += 8)
    Out[(blockIdx.x * 32 + I) * N + blockIdx.y * 32 + X] = Tile[X][I];
}

int main() {
  const unsigned char *In = input<unsigned char>(N * N, 256);
  unsigned char *Expected = output<unsigned char>(N * N),
                *Out = output<unsigned char>(N * N);
  Pair P("image-turned-bytes");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(In, Out);
}
