// Rule: cuda-memory-synchronous-staging
// Kendall's rank correlation: concordant less discordant pairs of each of 16384
// observations, tiles of 256 others in shared memory, loaded when needed or
// into a second buffer while the one before is compared.
#include "Pair.cuh"

constexpr int N = 1 << 14, Tile = 256, Parts = 16, Tiles = N / Tile / Parts;

__device__ int concordance(float2 A, float2 B) {
  const float D = (A.x - B.x) * (A.y - B.y);
  return (D > 0) - (D < 0);
}

__global__ void before(const float2 *__restrict__ In, int *__restrict__ Score) {
  __shared__ float2 Others[Tile];
  const int I = blockIdx.x * Tile + threadIdx.x;
  const float2 Mine = In[I];
  const float2 *Next = In + blockIdx.y * Tiles * Tile + threadIdx.x;
  int Sum = 0;
  for (int T = 0; T < Tiles; ++T) {
    Others[threadIdx.x] = Next[T * Tile];
    __syncthreads();
#pragma unroll 16
    for (int J = 0; J < Tile; ++J)
      Sum += concordance(Mine, Others[J]);
    __syncthreads();
  }
  Score[blockIdx.y * N + I] = Sum;
}

__global__ void after(const float2 *__restrict__ In, int *__restrict__ Score) {
  __shared__ float2 Others[2][Tile];
  const int I = blockIdx.x * Tile + threadIdx.x;
  const float2 Mine = In[I];
  const float2 *Next = In + blockIdx.y * Tiles * Tile + threadIdx.x;
  int Sum = 0;
  Others[0][threadIdx.x] = Next[0];
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
    float2 Ahead = {};
    if (T + 1 < Tiles)
      Ahead = Next[(T + 1) * Tile];
#pragma unroll 16
    for (int J = 0; J < Tile; ++J)
      Sum += concordance(Mine, Others[T & 1][J]);
    Others[(T + 1) & 1][threadIdx.x] = Ahead;
    __syncthreads();
  }
  Score[blockIdx.y * N + I] = Sum;
}

int main() {
  const float2 *In = (const float2 *)input<float>(2 * N);
  int *Expected = output<int>(N * Parts), *Out = output<int>(N * Parts);
  Pair P("kendall-tiles-ahead");
  P.same(Expected, Out, N * Parts);
  const dim3 Grid(N / Tile, Parts);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Tile>>>(In, Expected);
    else
      after<<<Grid, Tile>>>(In, Out);
}
