// A private histogram indexed by data, then one counter picked by comparison.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100-pcie --quiet --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// Before: registers have no index.
__global__ void count(int *Out, const int *In, int N) {
  int Bins[16] = {};
  // CHECK: index-at-run-time.cu:[[@LINE-1]]: warning: private array 'Bins' stays in local memory in Clang's view, because index 'In[I] & 15' is not a constant [cuda-memory-local-array]
  // CHECK: note: nvcc was not asked or does not compile this kernel; 'nvcc -Xptxas -v' shows a stack frame
  // CHECK: index-at-run-time.cu:[[@LINE+4]]:{{[0-9]+}}: note: this index is not a constant after unrolling
  // CHECK: note: profile nvidia-h100-pcie: warp.local.cycles_per_access is
  // CHECK: note: compare the index with each of 16 constants, so that 'Bins' stays in registers
  for (int I = threadIdx.x; I < N; I += 128)
    ++Bins[In[I] & 15];
  for (int B = 0; B < 16; ++B)
    atomicAdd(&Out[B], Bins[B]);
}

// After: every index is a constant once the loops are unrolled.
__global__ void countByComparison(int *Out, const int *In, int N) {
  int Bins[16] = {};
  for (int I = threadIdx.x; I < N; I += 128)
    for (int B = 0; B < 16; ++B)
      Bins[B] += (In[I] & 15) == B;
  for (int B = 0; B < 16; ++B)
    atomicAdd(&Out[B], Bins[B]);
}

void launch(int *Out, const int *In, int N) {
  count<<<1, 128>>>(Out, In, N);
  countByComparison<<<1, 128>>>(Out, In, N);
}
