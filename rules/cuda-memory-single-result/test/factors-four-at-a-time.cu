// nvcc loads four of the factors that lie in a row at a time: a product takes one
// load and a quarter. The rows of the other lie across.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-single-result' --min-gain=0 --explain \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s
// CHECK: warning: each product takes 1.25 loads from shared memory, as here from 'As'
// CHECK: in a loop in which a warp loads from it {{(64|128|256)}} times

void __syncthreads();

constexpr int Side = 32, Width = 1024;

__global__ void product(const float *A, const float *B, float *C) {
  alignas(16) __shared__ float As[Side][Side];
  __shared__ float Bs[Side][Side];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Row = blockIdx.y * Side + Y, Column = blockIdx.x * Side + X;
  float Sum = 0;
  for (int Tile = 0; Tile < Width; Tile += Side) {
    As[Y][X] = A[Row * Width + Tile + X];
    Bs[Y][X] = B[(Tile + Y) * Width + Column];
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Side; ++K)
      Sum += As[Y][K] * Bs[K][X];
    __syncthreads();
  }
  C[Row * Width + Column] = Sum;
}

void run(const float *A, const float *B, float *C) {
  product<<<dim3(Width / Side, Width / Side), dim3(Side, Side)>>>(A, B, C);
}
