// Rule: cuda-memory-block-shape
// A warp over eight rows of a matrix: eight half-used lines where one would do.
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
  Pair P("block-4x64");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 4, N / 64), dim3(4, 64)>>>(A, B, Expected);
    else
      after<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(A, B, Out);
}
