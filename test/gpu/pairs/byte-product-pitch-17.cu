// Rule: cuda-memory-bank-conflict
// A product of matrices of bytes, four of a row in a word: lanes have the rows
// of a tile in shared memory, which are 16 or 17 words apart.
#include "Pair.cuh"

constexpr int N = 1024, Words = 1024 / 4;

template <int Pitch>
__device__ void product(const int *A, const int *B, int *C) {
  __shared__ int As[32 * Pitch], Bs[32 * 16];
  const int X = threadIdx.x, Y = threadIdx.y, T = Y * 32 + X;
  const int Row = blockIdx.x * 32, Column = blockIdx.y * 32;
  int Sums[4] = {};
  for (int W = 0; W < Words; W += 16) {
    for (int I = T; I < 32 * 16; I += 256) {
      As[I / 16 * Pitch + I % 16] = A[(Row + I / 16) * Words + W + I % 16];
      Bs[I] = B[(Column + I / 16) * Words + W + I % 16];
    }
    __syncthreads();
#pragma unroll 4
    for (int I = 0; I < 16; ++I) {
      const int Mine = As[X * Pitch + I];
      for (int J = 0; J < 4; ++J)
        Sums[J] = __dp4a(Mine, Bs[(Y * 4 + J) * 16 + I], Sums[J]);
    }
    __syncthreads();
  }
  for (int J = 0; J < 4; ++J)
    C[(Column + Y * 4 + J) * N + Row + X] = Sums[J];
}

__global__ void before(const int *A, const int *B, int *C) {
  product<16>(A, B, C);
}

__global__ void after(const int *A, const int *B, int *C) {
  product<17>(A, B, C);
}

int main() {
  const int *A = input<int>(N * Words, ~0u),
            *B = input<int>(N * Words + 5, ~0u) + 5;
  int *Expected = output<int>(N * N), *Out = output<int>(N * N);
  Pair P("byte-product-pitch-17");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(A, B, Out);
}
