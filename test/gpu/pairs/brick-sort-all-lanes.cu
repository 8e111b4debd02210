// Rule: cuda-memory-idle-lanes
// Sorts segments of 512 keys in shared memory by odd-even transposition: a
// thread for each key, of which every other one compares and swaps, or a thread
// for each pair of keys.
#include "Pair.cuh"

constexpr int Keys = 512, Segments = 1056;

__device__ __forceinline__ void order(uint32_t *Pair) {
  const uint32_t A = Pair[0], B = Pair[1];
  if (A > B) {
    Pair[0] = B;
    Pair[1] = A;
  }
}

__global__ void before(const uint32_t *__restrict__ In,
                       uint32_t *__restrict__ Out) {
  __shared__ uint32_t Key[Keys];
  const int T = threadIdx.x;
  Key[T] = In[blockIdx.x * Keys + T];
  __syncthreads();
  for (int Phase = 0; Phase < Keys; ++Phase) {
    if (T % 2 == Phase % 2 && T + 1 < Keys)
      order(Key + T);
    __syncthreads();
  }
  Out[blockIdx.x * Keys + T] = Key[T];
}

__global__ void after(const uint32_t *__restrict__ In,
                      uint32_t *__restrict__ Out) {
  __shared__ uint32_t Key[Keys];
  const int T = threadIdx.x;
  Key[T] = In[blockIdx.x * Keys + T];
  Key[T + Keys / 2] = In[blockIdx.x * Keys + T + Keys / 2];
  __syncthreads();
  for (int Phase = 0; Phase < Keys; ++Phase) {
    const int Left = 2 * T + Phase % 2;
    if (Left + 1 < Keys)
      order(Key + Left);
    __syncthreads();
  }
  Out[blockIdx.x * Keys + T] = Key[T];
  Out[blockIdx.x * Keys + T + Keys / 2] = Key[T + Keys / 2];
}

int main() {
  const uint32_t *In = input<uint32_t>(Segments * Keys, 1000000);
  uint32_t *Expected = output<uint32_t>(Segments * Keys),
           *Out = output<uint32_t>(Segments * Keys);
  Pair P("brick-sort-all-lanes");
  P.same(Expected, Out, Segments * Keys);
  while (P.next())
    if (P.beforesTurn())
      before<<<Segments, Keys>>>(In, Expected);
    else
      after<<<Segments, Keys / 2>>>(In, Out);
}
