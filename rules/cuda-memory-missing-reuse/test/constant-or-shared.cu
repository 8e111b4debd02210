// A small table that all threads walk through has two remedies, of which the one that
// gains more is named: constant memory where a loop is written out, so that its words
// are operands, and tiles in shared memory where a loop counts.
//
// RUN: %checkpriced --checks='-*,cuda-memory-missing-reuse,cuda-memory-constant-candidate' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
#include <cuda_runtime.h>

constexpr int N = 1 << 20;

// CHECK: [[@LINE+4]]:{{.*}}: warning: {{.*}} about {{.*}}x faster {{.*}} [cuda-memory-constant-candidate]
__global__ void polynomial(const float *Table, float *Out) {
  float X = threadIdx.x, Sum = 0;
  for (int J = 0; J < 32; ++J)
    Sum = Sum * X + Table[J];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

// CHECK: [[@LINE+5]]:{{.*}}: warning: {{.*}} about {{.*}}x faster {{.*}} [cuda-memory-missing-reuse]
__global__ void resonance(const float *In, int Samples, float *Out) {
  float Now = 0;
  const float Turn = threadIdx.x * 0.001f;
  for (int S = 0; S < Samples; ++S)
    Now = In[S] + Turn * Now;
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Now;
}

int main() {
  float *Table, *In, *Out;
  cudaMalloc(&Table, 32 * sizeof(float));
  cudaMalloc(&In, 4096 * sizeof(float));
  cudaMalloc(&Out, N * sizeof(float));
  polynomial<<<N / 256, 256>>>(Table, Out);
  resonance<<<N / 256, 256>>>(In, 4096, Out);
}
