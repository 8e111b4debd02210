// A product by tiles: one result a thread, or two by two; and a sum that is no
// product.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1024, Tile = 32;

__global__ void before(const float *In, float *Out) {
  __shared__ float A[Tile][Tile + 1], B[Tile][Tile + 1];
  const int X = threadIdx.x, Y = threadIdx.y;
  float Sum = 0;
  for (int From = 0; From < N; From += Tile) {
    A[Y][X] = In[(blockIdx.y * Tile + Y) * N + From + X];
    B[Y][X] = In[(blockIdx.x * Tile + Y) * N + From + X];
    __syncthreads();
    for (int K = 0; K < Tile; ++K)
      // CHECK: [[@LINE+5]]:14: warning: each product takes two loads from shared memory, one of them from 'A'; about 1.{{[3-9].*}}x faster {{.*}} when repaired [cuda-memory-single-result]
      // CHECK: note: in a loop in which a warp loads from it 1024 times
      // CHECK: note: the kernel takes about {{[0-9]+}} us, bound by the load and store unit
      // CHECK: note: block is 32x32, from this launch
      // CHECK: note: give each thread two results by two, which share what they load in registers; half as many loads are left
      Sum += A[Y][K] * B[X][K];
    __syncthreads();
  }
  Out[(blockIdx.y * Tile + Y) * N + blockIdx.x * Tile + X] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float A[Tile][Tile + 1], B[Tile][Tile + 1];
  const int X = threadIdx.x, Y = threadIdx.y;
  float Sum[2][2] = {};
  for (int From = 0; From < N; From += Tile) {
    for (int I = Y; I < Tile; I += 16)
      for (int J = X; J < Tile; J += 16) {
        A[I][J] = In[(blockIdx.y * Tile + I) * N + From + J];
        B[I][J] = In[(blockIdx.x * Tile + I) * N + From + J];
      }
    __syncthreads();
    for (int K = 0; K < Tile; ++K) {
      const float A0 = A[Y][K], A1 = A[Y + 16][K];
      const float B0 = B[X][K], B1 = B[X + 16][K];
      Sum[0][0] += A0 * B0;
      Sum[0][1] += A0 * B1;
      Sum[1][0] += A1 * B0;
      Sum[1][1] += A1 * B1;
    }
    __syncthreads();
  }
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 2; ++J)
      Out[(blockIdx.y * Tile + Y + 16 * I) * N + blockIdx.x * Tile + X +
          16 * J] = Sum[I][J];
}

__global__ void noProduct(const float *In, float *Out) {
  __shared__ float A[256], B[256];
  const int T = threadIdx.x;
  A[T] = In[blockIdx.x * 512 + T];
  B[T] = In[blockIdx.x * 512 + 256 + T];
  __syncthreads();
  float Sum = 0;
  for (int K = 0; K < 256; ++K)
    Sum += fabsf(A[K] - B[(K + T) % 256]);
  Out[blockIdx.x * 256 + T] = Sum;
}

void launch(const float *In, float *Out) {
  before<<<dim3(N / Tile, N / Tile), dim3(Tile, Tile)>>>(In, Out);
  after<<<dim3(N / Tile, N / Tile), dim3(16, 16)>>>(In, Out);
  noProduct<<<4096, 256>>>(In, Out);
}
// CHECK: note: 1 warning in 3 kernels
