// Rule: cuda-memory-gather
// Eight million keys looked up in a hash table of 64 MB, a slot read for each:
// a thread looks up one key, or four whose slots it asks for all at once.
#include "Pair.cuh"

constexpr int N = 1 << 23;
constexpr uint32_t Slots = 1 << 23;

__device__ __forceinline__ uint32_t slot(uint32_t Key) {
  Key = (Key ^ Key >> 16) * 0x7feb352du;
  Key = (Key ^ Key >> 15) * 0x846ca68bu;
  return (Key ^ Key >> 16) % Slots;
}

__device__ __forceinline__ uint32_t payload(uint2 Found, uint32_t Key) {
  return Found.x == Key % 16 ? Found.y : 0;
}

__global__ void before(const uint32_t *__restrict__ Keys,
                       const uint2 *__restrict__ Table,
                       uint32_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Key = Keys[I];
  Out[I] = payload(Table[slot(Key)], Key);
}

__global__ void after(const uint32_t *__restrict__ Keys,
                      const uint2 *__restrict__ Table,
                      uint32_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  uint32_t Key[4];
  uint2 Found[4];
#pragma unroll
  for (int K = 0; K < 4; ++K)
    Key[K] = Keys[I + K * blockDim.x];
#pragma unroll
  for (int K = 0; K < 4; ++K)
    Found[K] = Table[slot(Key[K])];
#pragma unroll
  for (int K = 0; K < 4; ++K)
    Out[I + K * blockDim.x] = payload(Found[K], Key[K]);
}

int main() {
  const uint32_t *Keys = input<uint32_t>(N, ~0u);
  const uint2 *Table = (const uint2 *)input<uint32_t>(2 * size_t(Slots), 16);
  uint32_t *Expected = output<uint32_t>(N), *Out = output<uint32_t>(N);
  Pair P("join-probes-four-ahead");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Keys, Table, Expected);
    else
      after<<<N / 1024, 256>>>(Keys, Table, Out);
}
