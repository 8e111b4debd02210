// Rule: cuda-memory-block-shape
// A mean of 5x5 bytes in blocks of 8x8 and of 64x4.
#include "Pair.cuh"

constexpr int N = 2048, Pitch = N + 4;

__device__ void mean(const unsigned char *In, unsigned char *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  int Sum = 0;
#pragma unroll
  for (int I = 0; I < 5; ++I)
#pragma unroll
    for (int J = 0; J < 5; ++J)
      Sum += In[(Y + I) * Pitch + X + J];
  Out[Y * N + X] = Sum / 25;
}

__global__ void before(const unsigned char *In, unsigned char *Out) {
  mean(In, Out);
}

__global__ void after(const unsigned char *In, unsigned char *Out) {
  mean(In, Out);
}

int main() {
  const unsigned char *In = input<unsigned char>(Pitch * Pitch, 256);
  unsigned char *Expected = output<unsigned char>(N * N),
                *Out = output<unsigned char>(N * N);
  Pair P("box-filter-8x8");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 8, N / 8), dim3(8, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(In, Out);
}
