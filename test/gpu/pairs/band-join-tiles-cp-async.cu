// Rule: cuda-memory-synchronous-staging
// A join of orders with quotes by a band of time, counting the quotes that were
// cheaper: tiles of quotes are copied to shared memory between barriers, or
// asynchronously, a tile ahead.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Orders = 40960, Quotes = 32768, Tile = 256, Parts = 8;
constexpr int Tiles = Quotes / Parts / Tile;
constexpr float Band = 0.01f;

/// \p Quote: time and price.
__device__ bool joins(float2 Order, float2 Quote) {
  return fabsf(Order.x - Quote.x) <= Band && Quote.y < Order.y;
}

__global__ void before(const float2 *__restrict__ Order,
                       const float2 *__restrict__ Quote,
                       int *__restrict__ Count) {
  __shared__ float2 Staged[Tile];
  const int I = blockIdx.x * Tile + threadIdx.x;
  const float2 Own = Order[I];
  Quote += blockIdx.y * Tiles * Tile;
  int Joined = 0;
  for (int T = 0; T < Tiles; ++T) {
    Staged[threadIdx.x] = Quote[T * Tile + threadIdx.x];
    __syncthreads();
    for (int J = 0; J < Tile; ++J)
      Joined += joins(Own, Staged[J]);
    __syncthreads();
  }
  Count[blockIdx.y * Orders + I] = Joined;
}

__global__ void after(const float2 *__restrict__ Order,
                      const float2 *__restrict__ Quote,
                      int *__restrict__ Count) {
  __shared__ float2 Staged[2][Tile];
  const int I = blockIdx.x * Tile + threadIdx.x;
  const float2 Own = Order[I];
  Quote += blockIdx.y * Tiles * Tile + threadIdx.x;
  int Joined = 0;
  __pipeline_memcpy_async(&Staged[0][threadIdx.x], Quote, sizeof(float2));
  __pipeline_commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      __pipeline_memcpy_async(&Staged[(T + 1) % 2][threadIdx.x],
                              Quote + (T + 1) * Tile, sizeof(float2));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int J = 0; J < Tile; ++J)
      Joined += joins(Own, Staged[T % 2][J]);
    __syncthreads();
  }
  Count[blockIdx.y * Orders + I] = Joined;
}

int main() {
  const float2 *Order = (const float2 *)input<float>(2 * Orders),
               *Quote = (const float2 *)input<float>(2 * Quotes);
  int *Expected = output<int>(Parts * Orders),
      *Out = output<int>(Parts * Orders);
  Pair P("band-join-tiles-cp-async");
  P.same(Expected, Out, Parts * Orders);
  const dim3 Grid(Orders / Tile, Parts);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Tile>>>(Order, Quote, Expected);
    else
      after<<<Grid, Tile>>>(Order, Quote, Out);
}
