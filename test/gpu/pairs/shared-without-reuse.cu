// Rule: cuda-memory-needless-staging
// Each element goes through shared memory once, for nothing.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const float *In, float *Out) {
  __shared__ float Stage[256];
  const int I = blockIdx.x * 256 + threadIdx.x;
  Stage[threadIdx.x] = In[I];
  __syncthreads();
  Out[I] = 2 * Stage[threadIdx.x];
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = 2 * In[I];
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("shared-without-reuse");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
