// Rule: cuda-memory-single-result
// A matrix product from global memory; as advised, a thread computes eight
// results in a row along y, and uses what it loads of B for all of them.
#include "../Pair.cuh"

constexpr int N = 1024;

__global__ void before(const float *A, const float *B, float *C) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 32 + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[Y * N + K] * B[K * N + X];
  C[Y * N + X] = Sum;
}

constexpr int Results = 8;

__global__ void __launch_bounds__(1024)
    after(const float4 *A, const float *B, float *C) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 32 + threadIdx.y) * Results;
  float Sum[Results] = {};
  for (int K = 0; K < N / 4; ++K) {
    const float *Column = B + 4 * K * N + X;
    const float B0 = Column[0], B1 = Column[N], B2 = Column[2 * N],
                B3 = Column[3 * N];
#pragma unroll
    for (int R = 0; R < Results; ++R) {
      const float4 Row = A[(Y + R) * (N / 4) + K];
      Sum[R] += Row.x * B0;
      Sum[R] += Row.y * B1;
      Sum[R] += Row.z * B2;
      Sum[R] += Row.w * B3;
    }
  }
#pragma unroll
  for (int R = 0; R < Results; ++R)
    C[(Y + R) * N + X] = Sum[R];
}

int main() {
  const float *A = input<float>(N * N), *B = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("missing-reuse-matmul-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 32 / Results), dim3(32, 32)>>>((const float4 *)A,
                                                              B, Out);
}
