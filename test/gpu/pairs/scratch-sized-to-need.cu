// Rule: cuda-memory-needless-staging
// Samples found by a random list, then smoothed with their neighbours by way of
// shared memory: the scratch array has room for the largest block there might
// ever be, 48 KB, or for the 128 threads there are.
#include "Pair.cuh"

constexpr int N = 1 << 23, Samples = 1 << 24, Threads = 128;

template <int Room>
__device__ __forceinline__ void smoothed(const float *In, const int *List,
                                         float *Out) {
  __shared__ float Scratch[Room];
  const int T = threadIdx.x, I = blockIdx.x * Threads + T;
  Scratch[T] = In[List[I]];
  __syncthreads();
  const float Left = Scratch[T > 0 ? T - 1 : 0];
  const float Right = Scratch[T + 1 < Threads ? T + 1 : T];
  Out[I] = 0.25f * Left + 0.5f * Scratch[T] + 0.25f * Right;
}

__global__ void before(const float *__restrict__ In,
                       const int *__restrict__ List, float *__restrict__ Out) {
  smoothed<12 * 1024>(In, List, Out);
}

__global__ void after(const float *__restrict__ In,
                      const int *__restrict__ List, float *__restrict__ Out) {
  smoothed<Threads>(In, List, Out);
}

int main() {
  const float *In = input<float>(Samples);
  const int *List = input<int>(N, Samples);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("scratch-sized-to-need");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(In, List, Expected);
    else
      after<<<N / Threads, Threads>>>(In, List, Out);
}
