// Matrix products: untiled, with tiles, with a block of results per thread.

__global__ void untiled(const float *A, const float *B, float *C, int N) {
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[Row * N + K] * B[K * N + Column];
  C[Row * N + Column] = Sum;
}

// The running sum stays in memory.
__global__ void accumulated(const float *A, const float *B, float *C, int N) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Column = 0; Column < N; ++Column) {
    C[Row * N + Column] = 0;
    for (int K = 0; K < N; ++K)
      C[Row * N + Column] += A[Row * N + K] * B[K * N + Column];
  }
}

template <int Tile>
__global__ void tiled(const float *A, const float *B, float *C, int N) {
  __shared__ float As[Tile][Tile], Bs[Tile][Tile];
  int X = threadIdx.x, Y = threadIdx.y;
  int Row = blockIdx.y * Tile + Y, Column = blockIdx.x * Tile + X;
  float Sum = 0;
  for (int M = 0; M < N / Tile; ++M) {
    As[Y][X] = A[Row * N + M * Tile + X];
    Bs[Y][X] = B[(M * Tile + Y) * N + Column];
    __syncthreads();
    for (int K = 0; K < Tile; ++K)
      Sum += As[Y][K] * Bs[K][X];
    __syncthreads();
  }
  C[Row * N + Column] = Sum;
}

__global__ void blocked(const float *A, const float *B, float *C, int N) {
  __shared__ float As[8][32], Bs[8][32];
  int T = threadIdx.x, X = T % 8, Y = T / 8;
  float Sums[4][4] = {};
  for (int K0 = 0; K0 < N; K0 += 8) {
    for (int I = T; I < 8 * 32; I += blockDim.x) {
      As[I / 32][I % 32] = A[(I % 32) * N + K0 + I / 32];
      Bs[I / 32][I % 32] = B[(K0 + I / 32) * N + I % 32];
    }
    __syncthreads();
    for (int K = 0; K < 8; ++K)
      for (int I = 0; I < 4; ++I)
        for (int J = 0; J < 4; ++J)
          Sums[I][J] += As[K][Y * 4 + I] * Bs[K][X * 4 + J];
    __syncthreads();
  }
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J)
      C[(Y * 4 + I) * N + X * 4 + J] = Sums[I][J];
}

int main() {
  float *A, *B, *C;
  cudaMalloc(&A, 1 << 20);
  cudaMalloc(&B, 1 << 20);
  cudaMalloc(&C, 1 << 20);
  untiled<<<dim3(2, 2), dim3(16, 8)>>>(A, B, C, 32);
  accumulated<<<1, 48>>>(A, B, C, 20);
  tiled<16><<<dim3(2, 2), dim3(16, 16)>>>(A, B, C, 32);
  tiled<8><<<dim3(2, 1), dim3(8, 8)>>>(A, B, C, 24);
  blocked<<<1, 64>>>(A, B, C, 32);
}
