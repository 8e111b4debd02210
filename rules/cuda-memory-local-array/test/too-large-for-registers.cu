// Unrolling keeps an array in registers if there are as many: 120 numbers leave
// too little room for what is computed with them.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' --no-nvcc \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 | FileCheck %s

__global__ void layers(const float *W, const float *In, float *Out, int Many) {
  // CHECK: [[@LINE+2]]: warning: private array 'Sums' stays in local memory
  // CHECK: note: keep 'Sums' in shared memory, with a column for each thread
  float Sums[120] = {};
  for (int N = 0; N < Many; ++N)
    Sums[N] = W[N] * In[threadIdx.x];
  for (int N = 0; N < Many; ++N)
    Out[threadIdx.x] += Sums[N] * W[Many + N];
}

__global__ void fewer(const float *W, const float *In, float *Out, int Many) {
  // CHECK: [[@LINE+2]]: warning: private array 'Few' stays in local memory
  // CHECK: note: unroll the loops that index 'Few'
  float Few[60] = {};
  for (int N = 0; N < Many; ++N)
    Few[N] = W[N] * In[threadIdx.x];
  for (int N = 0; N < Many; ++N)
    Out[threadIdx.x] += Few[N] * W[Many + N];
}

// Two of them do not fit together.
__global__ void both(const float *W, const float *In, float *Out, int Many) {
  // CHECK: [[@LINE+3]]: warning: private array 'Left' stays in local memory
  // CHECK: note: keep 'Left' in shared memory, with a column for each thread
  // CHECK-NOT: unroll the loops
  float Left[60] = {};
  float Right[60] = {};
  for (int N = 0; N < Many; ++N) {
    Left[N] = W[N] * In[threadIdx.x];
    Right[Many - N] = W[N] + In[threadIdx.x];
  }
  for (int N = 0; N < Many; ++N)
    Out[threadIdx.x] += Left[N] * Right[N] * W[Many + N];
}

void launch(const float *W, const float *In, float *Out, int Many) {
  layers<<<1000, 64>>>(W, In, Out, Many);
  fewer<<<1000, 64>>>(W, In, Out, Many);
  both<<<1000, 64>>>(W, In, Out, Many);
}
