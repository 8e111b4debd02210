// Rule: cuda-memory-small-block
// Blocks of a warp: an SM holds 32 of them, half the warps it could.
#include "Pair.cuh"

constexpr int N = 1 << 23;

__global__ void before(const float *X, const float *Y, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 3 * X[I] + Y[I];
}

__global__ void after(const float *X, const float *Y, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 3 * X[I] + Y[I];
}

int main() {
  const float *X = input<float>(N), *Y = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("small-block");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 32, 32>>>(X, Y, Expected);
    else
      after<<<N / 256, 256>>>(X, Y, Out);
}
