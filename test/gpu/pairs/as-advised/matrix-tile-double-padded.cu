// Rule: cuda-memory-single-result
// A product of matrices of doubles by tiles in shared memory. As advised, each
// of 16x16 threads makes two results by two, from tiles of 32x16 and 16x32.
#include "../Pair.cuh"

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
  __shared__ double TileA[32][16], TileB[16][32];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 32 + TX, Y = blockIdx.y * 32 + TY;
  double Sum00 = 0, Sum01 = 0, Sum10 = 0, Sum11 = 0;
  for (int Tile = 0; Tile < N; Tile += 16) {
    TileA[TY][TX] = A[Y * N + Tile + TX];
    TileA[TY + 16][TX] = A[(Y + 16) * N + Tile + TX];
    TileB[TY][TX] = B[(Tile + TY) * N + X];
    TileB[TY][TX + 16] = B[(Tile + TY) * N + X + 16];
    __syncthreads();
    for (int K = 0; K < 16; ++K) {
      const double A0 = TileA[TY][K], A1 = TileA[TY + 16][K];
      const double B0 = TileB[K][TX], B1 = TileB[K][TX + 16];
      Sum00 += A0 * B0;
      Sum01 += A0 * B1;
      Sum10 += A1 * B0;
      Sum11 += A1 * B1;
    }
    __syncthreads();
  }
  C[Y * N + X] = Sum00;
  C[Y * N + X + 16] = Sum01;
  C[(Y + 16) * N + X] = Sum10;
  C[(Y + 16) * N + X + 16] = Sum11;
}

int main() {
  const double *A = input<double>(N * N), *B = input<double>(N * N);
  double *Expected = output<double>(N * N), *Out = output<double>(N * N);
  Pair P("matrix-tile-double-padded-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, Expected);
    else
      after<<<dim3(N / 32, N / 32), dim3(16, 16)>>>(A, B, Out);
}
