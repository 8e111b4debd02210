// A loop over the grid has one round where the grid is computed from what ends
// the loop, and some that nobody knows where the host code limits the grid.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-scalar-stream' \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s

// Each instance has one round.
template <int Which>
__global__ void scale(int N, const float *In, float *Out) {
  // CHECK: [[#@LINE+3]]:{{.*}}: warning: each thread handles one element of 4 bytes: 4 times the blocks, addresses
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += blockDim.x * gridDim.x)
    Out[I] = 2 * In[I];
}

__global__ void scaleSome(long N, const float *In, float *Out) {
  // CHECK: [[#@LINE+3]]:{{.*}}: warning: {{.*}}: 4 times the rounds or blocks, addresses
  for (long I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += blockDim.x * gridDim.x)
    Out[I] = 2 * In[I];
}

int min(int A, int B);

struct Blob {
  long count() const;
};

int blocksFor(int N) { return (N + 511) / 512; }

void run(const Blob *Of, int N, const float *In, float *Out) {
  scale<0><<<blocksFor(N), 512>>>(N, In, Out);
  const int Count = Of->count();
  scale<1><<<dim3(blocksFor(Count)), 512>>>(Count, In, Out);
  scale<2><<<blocksFor(Of->count()), 512>>>(Of->count(), In, Out);
  scaleSome<<<min(blocksFor(N), 1 << 20), 512>>>(N, In, Out);
}
