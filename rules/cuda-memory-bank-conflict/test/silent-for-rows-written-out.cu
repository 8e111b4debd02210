// Four rows of each lane that are written out lie side by side: nvcc loads four
// words of them at a time, wherever a row begins (33 LDS.128 of 16 lanes, which
// have no conflict; read off a cubin of nvcc 13). A word more between the rows
// would take these loads apart: 1.93 ms for 1.44 on an H200.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' --gpu=h200 %s -- \
// RUN:   2>&1 | FileCheck %s --implicit-check-not='shared load'
// CHECK: shared store is a 2-way bank conflict
// CHECK: shared store is a 2-way bank conflict

__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *out, int n) {
  __shared__ float sa[16][33];
  __shared__ float sb[64][33];
  float p[4] = {};
  for (int c = 0; c < n; c += 32) {
    __syncthreads();
    for (int y = threadIdx.y; y < 16; y += 8)
      for (int x = threadIdx.x; x < 32; x += 16)
        sa[y][x] = a[(blockIdx.x * 16 + y) * n + c + x];
    for (int y = threadIdx.y; y < 64; y += 8)
      for (int x = threadIdx.x; x < 32; x += 16)
        sb[y][x] = b[(blockIdx.y * 64 + y) * n + c + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i++)
#pragma unroll
      for (int f = 0; f < 4; f++)
        p[f] += sa[threadIdx.y][i] * sb[threadIdx.x * 4 + f][i];
  }
  for (int f = 0; f < 4; f++)
    out[(blockIdx.x * 8 + threadIdx.y) * 4096 + blockIdx.y * 64 + f * 16 +
        threadIdx.x] = p[f];
}

int main() {
  float *a, *b, *out;
  cudaMalloc(&a, 2048 * 1024 * sizeof(float));
  cudaMalloc(&b, 4096 * 1024 * sizeof(float));
  cudaMalloc(&out, 1024 * 4096 * sizeof(float));
  product<<<dim3(128, 64), dim3(16, 8)>>>(a, b, out, 1024);
}
