// Rule: cuda-memory-synchronous-staging
// How rough are 2112 measured lines? Squares of second differences are summed
// up from tiles of 512 points in shared memory, by eight blocks on each SM;
// the next tile is loaded afterwards or meanwhile.
#include "Pair.cuh"

#include <cuda_pipeline.h>

constexpr int Lines = 2112, Tile = 512, Tiles = 16, Pitch = Tile * Tiles + 4;

__device__ float squares(const float *Points) {
  float Sum = 0;
  for (int I = threadIdx.x; I < Tile; I += 256) {
    const float D = Points[I] - 2 * Points[I + 1] + Points[I + 2];
    Sum += D * D;
  }
  return Sum;
}

__global__ void __launch_bounds__(256) before(const float *In, float *Out) {
  __shared__ float Points[Tile + 4];
  float Sum = 0;
  for (int N = 0; N < Tiles; ++N) {
    for (int I = threadIdx.x; I < Tile + 4; I += 256)
      Points[I] = In[blockIdx.x * Pitch + N * Tile + I];
    __syncthreads();
    Sum += squares(Points);
    __syncthreads();
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

__global__ void __launch_bounds__(256) after(const float *In, float *Out) {
  __shared__ float Points[2][Tile + 4];
  const auto Fetch = [&](int N) {
    for (int I = threadIdx.x; I < Tile + 4; I += 256)
      __pipeline_memcpy_async(&Points[N % 2][I],
                              In + blockIdx.x * Pitch + N * Tile + I, 4);
    __pipeline_commit();
  };
  Fetch(0);
  float Sum = 0;
  for (int N = 0; N < Tiles; ++N) {
    if (N + 1 < Tiles)
      Fetch(N + 1);
    __pipeline_wait_prior(N + 1 < Tiles ? 1 : 0);
    __syncthreads();
    Sum += squares(Points[N % 2]);
    __syncthreads();
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

int main() {
  const float *In = input<float>(Lines * Pitch);
  float *Expected = output<float>(Lines * 256),
        *Out = output<float>(Lines * 256);
  Pair P("roughness-tiles-ahead");
  P.same(Expected, Out, Lines * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Lines, 256>>>(In, Expected);
    else
      after<<<Lines, 256>>>(In, Out);
}
