// Rule: cuda-memory-missing-reuse
// A product of matrices of bytes, four of a row at a time: from global memory,
// or by tiles of 16x16 words.
#include "Pair.cuh"

constexpr int N = 1024, Words = N / 4;

__global__ void before(const int *A, const int *B, int *C) {
  const int X = blockIdx.x * 16 + threadIdx.x;
  const int Y = blockIdx.y * 16 + threadIdx.y;
  int Sum = 0;
  for (int K = 0; K < Words; ++K)
    Sum = __dp4a(A[Y * Words + K], B[K * N + X], Sum);
  C[Y * N + X] = Sum;
}

__global__ void after(const int *A, const int *B, int *C) {
  __shared__ int TileA[16][16], TileB[16][16];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 16 + TX, Y = blockIdx.y * 16 + TY;
  int Sum = 0;
  for (int Tile = 0; Tile < Words; Tile += 16) {
    TileA[TY][TX] = A[Y * Words + Tile + TX];
    TileB[TY][TX] = B[(Tile + TY) * N + X];
    __syncthreads();
#pragma unroll
    for (int K = 0; K < 16; ++K)
      Sum = __dp4a(TileA[TY][K], TileB[K][TX], Sum);
    __syncthreads();
  }
  C[Y * N + X] = Sum;
}

int main() {
  // A word of B holds four rows of a column.
  const int *A = input<int>(N * Words, 0x7fffffff),
            *B = input<int>(N * Words, 0x7fffffff);
  int *Expected = output<int>(N * N), *Out = output<int>(N * N);
  Pair P("matrix-product-int8");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, Expected);
    else
      after<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, Out);
}
