// Rule: cuda-memory-single-result
// A product of matrices from global memory: an element of each thread, or four
// in a column, which share what they load of the second one.
#include "Pair.cuh"

constexpr int N = 1024;

__global__ void before(const float *A, const float *B, float *C) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[Y * N + K] * B[K * N + X];
  C[Y * N + X] = Sum;
}

__global__ void after(const float *A, const float *B, float *C) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 8 + threadIdx.y) * 4;
  float Sums[4] = {};
  for (int K = 0; K < N; ++K) {
    const float Right = B[K * N + X];
    for (int J = 0; J < 4; ++J)
      Sums[J] += A[(Y + J) * N + K] * Right;
  }
  for (int J = 0; J < 4; ++J)
    C[(Y + J) * N + X] = Sums[J];
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("product-rows-of-four");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(A, B, Out);
}
