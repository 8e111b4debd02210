// A product with what all threads have made of the same product: the second
// loop cannot begin before the first is over, and nothing of it can be
// corrected later.
//
// RUN: %checkpriced --min-gain=0 --checks='-*,cuda-memory-repeated-pass' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Rows = 256, Systems = 4096;

__global__ void residuals(const float *__restrict__ A,
                          const float *__restrict__ B,
                          float *__restrict__ Out) {
  __shared__ float X[Rows], Left[Rows];
  const int I = threadIdx.x;
  const float *Own = A + size_t(blockIdx.x) * Rows * Rows;
  X[I] = B[blockIdx.x * Rows + I];
  __syncthreads();
  float Sum = 0;
  for (int K = 0; K < Rows; ++K)
    Sum += Own[K * Rows + I] * X[K];
  Left[I] = X[I] - Sum;
  __syncthreads();
  float Product = 0;
  for (int K = 0; K < Rows; ++K)
    Product += Own[K * Rows + I] * Left[K];
  Out[blockIdx.x * Rows + I] = Product;
}

// The other product is of something that is there from the start.
__global__ void products(const float *__restrict__ A,
                         const float *__restrict__ B,
                         float *__restrict__ Out) {
  __shared__ float X[Rows], Y[Rows];
  const int I = threadIdx.x;
  const float *Own = A + size_t(blockIdx.x) * Rows * Rows;
  X[I] = B[blockIdx.x * Rows + I];
  Y[I] = B[(Systems + blockIdx.x) * Rows + I];
  __syncthreads();
  float Sum = 0;
  for (int K = 0; K < Rows; ++K)
    Sum += Own[K * Rows + I] * X[K];
  float Product = 0;
  for (int K = 0; K < Rows; ++K)
    // CHECK: [[@LINE+1]]:16: warning: a loop loads again what each thread has loaded from 'A' in a loop before
    Product += Own[K * Rows + I] * Y[K];
  Out[blockIdx.x * Rows + I] = Product / Sum;
}

void launch(const float *A, const float *B, float *Out) {
  residuals<<<Systems, Rows>>>(A, B, Out);
  products<<<Systems, Rows>>>(A, B, Out);
}

// CHECK: note: 1 warning in 2 kernels
