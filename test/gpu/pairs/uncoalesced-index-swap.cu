// Rule: cuda-memory-uncoalesced-access
// Lanes go down a column of three matrices in DRAM.
#include "Pair.cuh"

constexpr int N = 4096;

__global__ void before(const float *A, const float *B, float *C) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  const int Column = blockIdx.y * blockDim.y + threadIdx.y;
  C[Row * N + Column] = A[Row * N + Column] + B[Row * N + Column];
}

__global__ void after(const float *A, const float *B, float *C) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Row = blockIdx.y * blockDim.y + threadIdx.y;
  C[Row * N + Column] = A[Row * N + Column] + B[Row * N + Column];
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("uncoalesced-index-swap");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(A, B, Out);
}
