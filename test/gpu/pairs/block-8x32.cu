// Rule: cuda-memory-block-shape
// A warp over four rows, a whole sector of each: four lines, no sector more.
#include "Pair.cuh"

constexpr int N = 4096;

__global__ void before(const float *A, const float *B, float *C) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  C[Y * N + X] = A[Y * N + X] + B[Y * N + X];
}

__global__ void after(const float *A, const float *B, float *C) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  C[Y * N + X] = A[Y * N + X] + B[Y * N + X];
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("block-8x32");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 8, N / 32), dim3(8, 32)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(A, B, Out);
}
