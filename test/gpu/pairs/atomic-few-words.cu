// Rule: cuda-memory-atomic-contention
// Floats added to 32 words of one line, one per lane: the block's warps meet,
// or add up in shared memory first.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const float *In, float *Sums) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  atomicAdd(&Sums[threadIdx.x % 32], In[I]);
}

__global__ void after(const float *In, float *Sums) {
  __shared__ float Part[256];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 256 + T];
  __syncthreads();
  if (T >= 32)
    return;
  float Sum = 0;
  for (int W = 0; W < 8; ++W)
    Sum += Part[32 * W + T];
  atomicAdd(&Sums[T], Sum);
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(32), *Out = output<float>(32);
  Pair P("atomic-few-words");
  P.same(Expected, Out, 32);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
