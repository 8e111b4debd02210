// Rule: cuda-memory-missing-restrict
// Rows that fulfil three conditions, each a bitmap: a thread has eight words,
// and its next loads may not pass its last store, or may.
#include "Pair.cuh"

constexpr int N = 1 << 22, Each = 8;

__global__ void before(const uint32_t *A, const uint32_t *B, const uint32_t *C,
                       uint32_t *Out) {
  const int First = blockIdx.x * 256 * Each + threadIdx.x;
#pragma unroll
  for (int I = 0; I < Each; ++I) {
    const int Word = First + I * 256;
    Out[Word] = A[Word] & B[Word] & ~C[Word];
  }
}

__global__ void after(const uint32_t *__restrict__ A,
                      const uint32_t *__restrict__ B,
                      const uint32_t *__restrict__ C,
                      uint32_t *__restrict__ Out) {
  const int First = blockIdx.x * 256 * Each + threadIdx.x;
#pragma unroll
  for (int I = 0; I < Each; ++I) {
    const int Word = First + I * 256;
    Out[Word] = A[Word] & B[Word] & ~C[Word];
  }
}

int main() {
  const uint32_t *A = input<uint32_t>(N, ~0u),
                 *B = input<uint32_t>(N + 32, ~0u) + 32,
                 *C = input<uint32_t>(N + 64, ~0u) + 64;
  uint32_t *Expected = output<uint32_t>(N), *Out = output<uint32_t>(N);
  Pair P("bitmaps-merged-restrict");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / (256 * Each), 256>>>(A, B, C, Expected);
    else
      after<<<N / (256 * Each), 256>>>(A, B, C, Out);
}
