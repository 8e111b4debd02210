// Threads that wait for each other cannot simply handle two elements each: the
// promise is that of the requests alone, which a scan hides.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-narrow-access' %s -- 2>&1 | FileCheck %s

// CHECK-NOT: warning
__global__ void sumUp(const unsigned short *In, float *Out) {
  __shared__ float Sums[256];
  const int I = blockIdx.x * 256 + threadIdx.x;
  Sums[threadIdx.x] = In[I];
  __syncthreads();
  for (int Step = 1; Step < 256; Step *= 2) {
    const float Before = threadIdx.x >= Step ? Sums[threadIdx.x - Step] : 0;
    __syncthreads();
    Sums[threadIdx.x] += Before;
    __syncthreads();
  }
  Out[I] = Sums[threadIdx.x];
}
// CHECK: note: 0 warnings in 1 kernel

void run(const unsigned short *In, float *Out, int N) {
  sumUp<<<N, 256>>>(In, Out);
}
