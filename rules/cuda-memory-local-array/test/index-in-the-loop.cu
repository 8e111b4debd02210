// Of several indices that data decide the one in a loop is what costs.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 | FileCheck %s

__global__ void sums(const int *From, const float *In, float *Out, int N) {
  // CHECK: [[@LINE+1]]{{.*}}: warning: private array 'Parts' stays in local memory, because index 'From[I]' is not a constant
  float Parts[9] = {};
  Parts[From[0]] = 1;
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    Parts[From[I]] += In[I];
  Out[threadIdx.x] = Parts[From[1]];
}
