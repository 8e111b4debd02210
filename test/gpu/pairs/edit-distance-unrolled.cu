// Rule: cuda-memory-local-array
// Edit distances of pairs of words of 24 letters: a row of the table is an
// array whose length an argument says, or one in registers.
#include "Pair.cuh"

constexpr int N = 1 << 18, Long = 24;

__global__ void before(const unsigned char *A, const unsigned char *B, int Long,
                       int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char Row[33];
  for (int X = 0; X <= Long; ++X)
    Row[X] = X;
  for (int Y = 0; Y < Long; ++Y) {
    const int Letter = A[Y * N + I];
    int Slant = Row[0], Left = Y + 1;
    Row[0] = Left;
    for (int X = 1; X <= Long; ++X) {
      const int Up = Row[X];
      Left = min(min(Left, Up) + 1, Slant + (Letter != B[(X - 1) * N + I]));
      Slant = Up;
      Row[X] = Left;
    }
  }
  Out[I] = Row[Long];
}

template <int Long>
__global__ void after(const unsigned char *A, const unsigned char *B,
                      int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Row[Long + 1], Word[Long];
#pragma unroll
  for (int X = 0; X <= Long; ++X)
    Row[X] = X;
#pragma unroll
  for (int X = 0; X < Long; ++X)
    Word[X] = B[X * N + I];
  for (int Y = 0; Y < Long; ++Y) {
    const int Letter = A[Y * N + I];
    int Slant = Row[0], Left = Y + 1;
    Row[0] = Left;
#pragma unroll
    for (int X = 1; X <= Long; ++X) {
      const int Up = Row[X];
      Left = min(min(Left, Up) + 1, Slant + (Letter != Word[X - 1]));
      Slant = Up;
      Row[X] = Left;
    }
  }
  Out[I] = Row[Long];
}

int main() {
  const unsigned char *A = input<unsigned char>(2 * N * Long, 4),
                      *B = A + N * Long;
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("edit-distance-unrolled");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(A, B, Long, Expected);
    else
      after<Long><<<N / 128, 128>>>(A, B, Out);
}
