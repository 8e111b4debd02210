// Additions of single halves, of which nvcc makes loops, and of two at once.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-atomic-contention' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

#include <cuda_fp16.h>

constexpr int N = 1 << 22, Rows = 1 << 16;

__global__ void before(__half *Sum, const int *Row, const __half *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[@LINE+4]]{{.*}}: warning: each lane adds a single half to 'Sum', which nvcc makes a loop of that compares and swaps a word; about {{[5-9].*}}x faster {{.*}} when repaired [cuda-memory-atomic-contention]
  // CHECK: note: it begins anew when another lane has changed the word meanwhile; L2 adds to both halves of a word at once
  // CHECK: note: the kernel takes about {{.*}} us, bound by atomics
  // CHECK: note: add to both halves of a word of 'Sum' at once, nothing to the one that stays (atomicAdd of __half2 or __nv_bfloat162), or add up in floats
  atomicAdd(&Sum[Row[I]], In[I]);
}

__global__ void after(__half2 *Sum, const int *Row, const __half *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const __half None = __float2half(0.0f);
  const int To = Row[I];
  atomicAdd(&Sum[To / 2], To % 2 ? __halves2half2(None, In[I])
                                 : __halves2half2(In[I], None));
}

int main() {
  int *Row;
  __half *In, *Sum;
  cudaMalloc(&Row, N * sizeof(int));
  cudaMalloc(&In, N * sizeof(__half));
  cudaMalloc(&Sum, Rows * sizeof(__half));
  before<<<N / 256, 256>>>(Sum, Row, In);
  after<<<N / 256, 256>>>((__half2 *)Sum, Row, In);
}
// CHECK: note: 1 warning in 2 kernels
