// Rule: cuda-memory-missing-restrict
// All loads come before the only store: the compiler loses nothing.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const float *A, const float *B, float *C) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  C[I] = A[I] * B[I];
}

__global__ void after(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ C) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  C[I] = A[I] * B[I];
}

int main() {
  const float *A = input<float>(N), *B = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("missing-restrict-one-store");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(A, B, Expected);
    else
      after<<<N / 256, 256>>>(A, B, Out);
}
