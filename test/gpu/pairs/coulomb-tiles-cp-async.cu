// Rule: cuda-memory-synchronous-staging
// The potential of 8192 charges at 131072 points, by tiles of 256 charges in
// shared memory: a tile is loaded, then used, or it comes while the last one is
// used.
#include "Pair.cuh"

#include <cuda_pipeline.h>

constexpr int Points = 1 << 17, Charges = 8192, Tile = 256;

__device__ __forceinline__ float potential(const float4 *Near, float X, float Y,
                                           float Z, float Sum) {
#pragma unroll 8
  for (int C = 0; C < Tile; ++C) {
    const float4 Q = Near[C];
    const float DX = X - Q.x, DY = Y - Q.y, DZ = Z - Q.z;
    Sum += Q.w * rsqrtf(DX * DX + DY * DY + DZ * DZ + 1e-3f);
  }
  return Sum;
}

__global__ void before(const float *__restrict__ Where,
                       const float4 *__restrict__ Charge,
                       float *__restrict__ Out) {
  __shared__ float4 Near[Tile];
  const int I = blockIdx.x * Tile + threadIdx.x;
  const float X = Where[I], Y = Where[Points + I], Z = Where[2 * Points + I];
  float Sum = 0;
  for (int First = 0; First < Charges; First += Tile) {
    Near[threadIdx.x] = Charge[First + threadIdx.x];
    __syncthreads();
    Sum = potential(Near, X, Y, Z, Sum);
    __syncthreads();
  }
  Out[I] = Sum;
}

__global__ void after(const float *__restrict__ Where,
                      const float4 *__restrict__ Charge,
                      float *__restrict__ Out) {
  __shared__ float4 Near[2][Tile];
  const int I = blockIdx.x * Tile + threadIdx.x;
  const float X = Where[I], Y = Where[Points + I], Z = Where[2 * Points + I];
  float Sum = 0;
  __pipeline_memcpy_async(&Near[0][threadIdx.x], &Charge[threadIdx.x], 16);
  __pipeline_commit();
  for (int First = 0; First < Charges; First += Tile) {
    const int Now = First / Tile % 2;
    if (First + Tile < Charges)
      __pipeline_memcpy_async(&Near[1 - Now][threadIdx.x],
                              &Charge[First + Tile + threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    Sum = potential(Near[Now], X, Y, Z, Sum);
    __syncthreads();
  }
  Out[I] = Sum;
}

int main() {
  const float *Where = input<float>(3 * Points);
  const float4 *Charge = (const float4 *)input<float>(4 * Charges);
  float *Expected = output<float>(Points), *Out = output<float>(Points);
  Pair P("coulomb-tiles-cp-async");
  P.same(Expected, Out, Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / Tile, Tile>>>(Where, Charge, Expected);
    else
      after<<<Points / Tile, Tile>>>(Where, Charge, Out);
}
