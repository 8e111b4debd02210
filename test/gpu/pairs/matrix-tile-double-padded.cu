// Rule: cuda-memory-bank-conflict
// A product of matrices of doubles by tiles of 16x16. Tiles are read along rows
// and by lanes alike; a column of padding has nothing to avoid.
#include "Pair.cuh"

constexpr int N = 768;

__global__ void before(const double *A, const double *B, double *C) {
  __shared__ double TileA[16][16], TileB[16][16];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 16 + TX, Y = blockIdx.y * 16 + TY;
  double Sum = 0;
  for (int Tile = 0; Tile < N; Tile += 16) {
    TileA[TY][TX] = A[Y * N + Tile + TX];
    TileB[TY][TX] = B[(Tile + TY) * N + X];
    __syncthreads();
    for (int K = 0; K < 16; ++K)
      Sum += TileA[TY][K] * TileB[K][TX];
    __syncthreads();
  }
  C[Y * N + X] = Sum;
}

__global__ void after(const double *A, const double *B, double *C) {
  __shared__ double TileA[16][17], TileB[16][17];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 16 + TX, Y = blockIdx.y * 16 + TY;
  double Sum = 0;
  for (int Tile = 0; Tile < N; Tile += 16) {
    TileA[TY][TX] = A[Y * N + Tile + TX];
    TileB[TY][TX] = B[(Tile + TY) * N + X];
    __syncthreads();
    for (int K = 0; K < 16; ++K)
      Sum += TileA[TY][K] * TileB[K][TX];
    __syncthreads();
  }
  C[Y * N + X] = Sum;
}

int main() {
  const double *A = input<double>(N * N), *B = input<double>(N * N);
  double *Expected = output<double>(N * N), *Out = output<double>(N * N);
  Pair P("matrix-tile-double-padded");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, Expected);
    else
      after<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, Out);
}
