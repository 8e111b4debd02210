// A grid that is larger than the data: blocks that find nothing to do are no
// more than a launch, and those that do something take as long as without them.
//
// RUN: %warpwise accesses --quiet --gpu=nvidia-h200 %s -- \
// RUN:   | %python %S/Inputs/compare_times.py fits larger 1.05 | FileCheck %s
// CHECK: larger / fits: {{0\.9|1\.0}}

constexpr int Tiles = 512;

__device__ void products(const float *A, const float *B, float *Out) {
  __shared__ float Left[8][32], Right[8][32];
  const int X = threadIdx.x % 32, Y = threadIdx.x / 32;
  for (int Pos = blockIdx.x; Pos < 64; Pos += gridDim.x) {
    float Sum = 0;
    for (int T = 0; T < Tiles; ++T) {
      Left[Y][X] = A[(Pos * Tiles + T) * 256 + threadIdx.x];
      Right[Y][X] = B[(Pos * Tiles + T) * 256 + threadIdx.x];
      __syncthreads();
      for (int K = 0; K < 8; ++K)
        Sum += Left[Y][K] * Right[K][X];
      __syncthreads();
    }
    Out[Pos * 256 + threadIdx.x] = Sum;
  }
}

__global__ void fits(const float *A, const float *B, float *Out) {
  products(A, B, Out);
}
__global__ void larger(const float *A, const float *B, float *Out) {
  products(A, B, Out);
}

int launch(const float *A, const float *B, float *Out) {
  fits<<<64, 256>>>(A, B, Out);
  larger<<<132, 256>>>(A, B, Out);
  return 0;
}
