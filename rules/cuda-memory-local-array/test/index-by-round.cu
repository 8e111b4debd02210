// An index that counts the rounds of a loop is a constant once the loop is
// unrolled, for which its rounds have to be known.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100-pcie --quiet --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void before(float *Out, const float *In, int N) {
  float Values[32];
  // CHECK: [[@LINE-1]]: warning: private array 'Values' stays in local memory
  // CHECK: note: unroll the loops that index 'Values': their number of rounds has to be a constant
  for (int K = 0; K < N; ++K)
    Values[K] = In[K * 256 + threadIdx.x];
  float Product = 1;
  for (int K = 1; K < N; ++K)
    Product *= Values[K] - Values[K - 1];
  Out[threadIdx.x] = Product;
}

template <int N> __global__ void after(float *Out, const float *In) {
  float Values[32];
  for (int K = 0; K < N; ++K)
    Values[K] = In[K * 256 + threadIdx.x];
  float Product = 1;
  for (int K = 1; K < N; ++K)
    Product *= Values[K] - Values[K - 1];
  Out[threadIdx.x] = Product;
}

void launch(float *Out, const float *In, int N) {
  before<<<1, 256>>>(Out, In, N);
  after<12><<<1, 256>>>(Out, In);
}
