// Rule: cuda-memory-synchronous-staging
// Dirty image by direct Fourier sum of 2048 visibilities, a pixel a thread: the
// visibilities come through one tile in shared memory, or the next tile is
// copied by cp.async meanwhile.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Size = 512, Visibilities = 2048, Tile = 256;

/// \p Of holds a place u, v and a complex value.
__device__ float wave(float4 Of, float L, float M) {
  float Turns = fmaf(Of.x, L, Of.y * M);
  Turns -= rintf(Turns);
  float Sine, Cosine;
  __sincosf(6.2831853f * Turns, &Sine, &Cosine);
  return Of.z * Cosine - Of.w * Sine;
}

__global__ void before(const float4 *__restrict__ Measured,
                       float *__restrict__ Image) {
  __shared__ float4 Staged[Tile];
  const int T = threadIdx.y * 32 + threadIdx.x;
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  const float L = X - Size / 2, M = Y - Size / 2;
  float Sum = 0;
  for (int From = 0; From < Visibilities; From += Tile) {
    Staged[T] = Measured[From + T];
    __syncthreads();
#pragma unroll 4
    for (int I = 0; I < Tile; ++I)
      Sum += wave(Staged[I], L, M);
    __syncthreads();
  }
  Image[Y * Size + X] = Sum;
}

__global__ void after(const float4 *__restrict__ Measured,
                      float *__restrict__ Image) {
  __shared__ float4 Staged[2][Tile];
  const int T = threadIdx.y * 32 + threadIdx.x;
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  const float L = X - Size / 2, M = Y - Size / 2;
  float Sum = 0;
  int Now = 0;
  __pipeline_memcpy_async(&Staged[0][T], &Measured[T], sizeof(float4));
  __pipeline_commit();
  for (int From = 0; From < Visibilities; From += Tile, Now ^= 1) {
    if (From + Tile < Visibilities)
      __pipeline_memcpy_async(&Staged[Now ^ 1][T], &Measured[From + Tile + T],
                              sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll 4
    for (int I = 0; I < Tile; ++I)
      Sum += wave(Staged[Now][I], L, M);
    __syncthreads();
  }
  Image[Y * Size + X] = Sum;
}

int main() {
  const float *Measured = input<float>(4 * Visibilities);
  float *Expected = output<float>(Size * Size),
        *Out = output<float>(Size * Size);
  Pair P("dirty-image-tiles-cp-async");
  P.same(Expected, Out, Size * Size);
  const dim3 Grid(Size / 32, Size / 8), Block(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>((const float4 *)Measured, Expected);
    else
      after<<<Grid, Block>>>((const float4 *)Measured, Out);
}
