// A copy with an element per thread, the same with four, and with loops: of one
// element at a time, of four, and of an array that fits L2.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-scalar-stream' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 24;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: each thread handles one element of 4 bytes: 4 times the blocks, addresses and requests of float4 for each; about 1.{{[3-7].*}}x faster {{.*}} when repaired [cuda-memory-scalar-stream]
  // CHECK: note: launched here
  // CHECK: note: let each thread handle 4 elements, in as many times fewer blocks: neighbouring ones as one vector where that is aligned, else the width of a block apart
  Out[I] = 2 * In[I];
}

__global__ void after(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 X = In[I];
  Out[I] = {2 * X.x, 2 * X.y, 2 * X.z, 2 * X.w};
}

__global__ void strides(const float *In, float *Out) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += 1056 * 256)
    // CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: each thread handles one element of 4 bytes at a time: 4 times the rounds, addresses and requests of float4 for each; about 1.{{[1-3].*}}x faster {{.*}} when repaired [cuda-memory-scalar-stream]
    // CHECK: note: each round waits for what it loads, however little that is
    // CHECK: note: let each thread handle 4 elements at a time, in as many times fewer rounds: neighbouring ones as one vector where that is aligned, else the width of a block apart
    Out[I] = 2 * In[I];
}

__global__ void stridesOfFour(const float4 *In, float4 *Out) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N / 4; I += 1056 * 256)
    Out[I] = In[I];
}

__global__ void fewStrides(const float *In, float *Out) {
  for (int I = blockIdx.x * 512 + threadIdx.x; I < 1 << 21; I += 528 * 512)
    // On an H200 such a loop gains 1.046 (stream-loop-in-l2 of test/gpu/pairs).
    Out[I] = 2 * In[I];
}

// What comes after the loop is little beside it.
__global__ void squares(const double *In, int Count, double *Out) {
  __shared__ double Part[8];
  double Sum = 0;
  for (int I = blockIdx.x * 256 + threadIdx.x; I < Count; I += gridDim.x * 256)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: each thread handles one element of 8 bytes at a time: 2 times the rounds, addresses and requests of double2 for each; about 1.{{[2-9].*}}x faster
    Sum += In[I] * In[I];
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step);
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = Sum;
  __syncthreads();
  for (int W = 1; W < 8; ++W)
    Sum += Part[W];
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Sum;
}

// A stencil: its neighbours do not come as vectors.
__global__ void smooths(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] + In[I + 1] + In[I + 2];
}

// DRAM is the bound: two doubles at a time bring nothing.
__global__ void sums(const double *A, const double *B, const double *C,
                     double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = A[I] + B[I] + C[I];
}

void launch(const float *In, float *Out, const double *A, double *D) {
  before<<<N / 256, 256>>>(In, Out);
  after<<<N / 1024, 256>>>((const float4 *)In, (float4 *)Out);
  strides<<<1056, 256>>>(In, Out);
  squares<<<256, 256>>>(A, N, D);
  stridesOfFour<<<1056, 256>>>((const float4 *)In, (float4 *)Out);
  fewStrides<<<528, 512>>>(In, Out);
  smooths<<<N / 256, 256>>>(In, Out);
  sums<<<N / 256, 256>>>(A, A, A, D);
}
// CHECK: note: 3 warnings in 8 kernels
