// Threads with eight results in a column: the factor from B is loaded once for
// eight products.
//
// RUN: %warpwise check --min-gain=0 --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

constexpr int Tile = 64, Deep = 8, Results = 8;

__global__ void columns(const float *A, const float *B, float *C, int K, int N) {
  __shared__ float As[Tile * Deep], Bs[Deep * Tile];
  const int X = threadIdx.x % Tile, Y = threadIdx.x / Tile;
  float Sum[Results] = {};
  for (int From = 0; From < K; From += Deep) {
    As[threadIdx.x] = A[(blockIdx.y * Tile + threadIdx.x / Deep) * K + From +
                        threadIdx.x % Deep];
    Bs[threadIdx.x] = B[(From + Y) * N + blockIdx.x * Tile + X];
    __syncthreads();
    for (int I = 0; I < Deep; ++I) {
      const float Factor = Bs[I * Tile + X];
      for (int R = 0; R < Results; ++R)
        Sum[R] += As[(Y * Results + R) * Deep + I] * Factor;
    }
    __syncthreads();
  }
  for (int R = 0; R < Results; ++R)
    C[(blockIdx.y * Tile + Y * Results + R) * N + blockIdx.x * Tile + X] = Sum[R];
}

void launch(const float *A, const float *B, float *C) {
  columns<<<dim3(64, 64), Tile * Tile / Results>>>(A, B, C, 4096, 4096);
}
