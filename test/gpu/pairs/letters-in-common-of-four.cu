// Rule: cuda-memory-single-result
// How many of the twelve letters from each place on of one text are those of
// another: bytes one by one, or words for four places at a time.
#include "Pair.cuh"

constexpr int N = 1 << 22, Long = 12;

__global__ void before(const uint8_t *__restrict__ A,
                       const uint8_t *__restrict__ B,
                       uint8_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Same = 0;
#pragma unroll
  for (int K = 0; K < Long; ++K)
    Same += A[I + K] == B[I + K];
  Out[I] = Same;
}

__global__ void after(const uint32_t *__restrict__ A,
                      const uint32_t *__restrict__ B,
                      uint32_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint8_t Same[Long + 4];
#pragma unroll
  for (int W = 0; W < Long / 4 + 1; ++W) {
    const uint32_t Differ = A[I + W] ^ B[I + W];
#pragma unroll
    for (int K = 0; K < 4; ++K)
      Same[4 * W + K] = (Differ >> 8 * K & 255) == 0;
  }
  uint32_t All = 0;
#pragma unroll
  for (int R = 0; R < 4; ++R) {
    uint32_t Sum = 0;
#pragma unroll
    for (int K = 0; K < Long; ++K)
      Sum += Same[R + K];
    All |= Sum << 8 * R;
  }
  Out[I] = All;
}

int main() {
  const uint8_t *A = input<uint8_t>(N + Long + 4, 4),
                *B = input<uint8_t>(N + Long + 4 + 1024, 4) + 1024;
  uint8_t *Expected = output<uint8_t>(N), *Out = output<uint8_t>(N);
  Pair P("letters-in-common-of-four");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(A, B, Expected);
    else
      after<<<N / 1024, 256>>>((const uint32_t *)A, (const uint32_t *)B,
                               (uint32_t *)Out);
}
