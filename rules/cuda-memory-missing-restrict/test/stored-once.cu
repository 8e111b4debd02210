// With the promise nvcc 13 stores each sum once, and not in each of 64 rounds: most
// of what it gains here is in the stores.
//
// RUN: %checkpriced --checks='-*,cuda-memory-missing-restrict' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 20;

__global__ void sums(const float *Scale, const float *In, float *Out,
                     float *Sum) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < 64; ++J) {
    Out[I] = Scale[J & 3] * In[I];
    // CHECK: :[[@LINE-1]]:{{[0-9]+}}: warning: 'In' is loaded again after each store to 'Out', which may be the same memory; about {{[4-9]}}.{{[0-9]+}}x faster
    Sum[I] += Out[I];
  }
}

void launch(const float *Scale, const float *In, float *Out) {
  sums<<<N / 256, 256>>>(Scale, In, Out, Out + N);
}
