// Rule: cuda-memory-redundant-round-trip
// Of each of 264 clouds of 4096 points, 48 that lie far from each other: the
// next is the one farthest from all those chosen. A block a cloud reads places
// and keeps distances in global memory, or each thread keeps those of its
// sixteen points in registers.
#include "Pair.cuh"

constexpr int Clouds = 264, Points = 4096, Chosen = 48;
constexpr int Block = 256, Each = Points / Block;

using Key = unsigned long long;

__device__ float square(float X, float Y, float Z, float3 From) {
  X -= From.x;
  Y -= From.y;
  Z -= From.z;
  return fmaf(Z, Z, fmaf(Y, Y, X * X));
}

// Orders by distance, then by number.
__device__ Key key(float Distance, int I) {
  return Key(__float_as_uint(Distance)) << 32 | I;
}

// The number of the largest of a block's keys.
__device__ int largest(Key Mine, Key *OfWarps) {
#pragma unroll
  for (int Away = 16; Away > 0; Away /= 2)
    Mine = max(Mine, __shfl_xor_sync(~0u, Mine, Away));
  if (threadIdx.x % 32 == 0)
    OfWarps[threadIdx.x / 32] = Mine;
  __syncthreads();
  Mine = OfWarps[0];
#pragma unroll
  for (int W = 1; W < Block / 32; ++W)
    Mine = max(Mine, OfWarps[W]);
  __syncthreads();
  return int(Mine);
}

__global__ void before(const float *__restrict__ Cloud,
                       float *__restrict__ Distance, int *__restrict__ Sample) {
  __shared__ Key OfWarps[Block / 32];
  const float *X = Cloud + blockIdx.x * 3 * Points;
  const float *Y = X + Points, *Z = Y + Points;
  float *Near = Distance + blockIdx.x * Points;
  for (int I = threadIdx.x; I < Points; I += Block)
    Near[I] = 1e9f;
  int Last = 0;
  for (int S = 0; S < Chosen; ++S) {
    const float3 From = {X[Last], Y[Last], Z[Last]};
    Key Mine = 0;
    for (int I = threadIdx.x; I < Points; I += Block) {
      const float D = fminf(Near[I], square(X[I], Y[I], Z[I], From));
      Near[I] = D;
      Mine = max(Mine, key(D, I));
    }
    Last = largest(Mine, OfWarps);
    if (threadIdx.x == 0)
      Sample[blockIdx.x * Chosen + S] = Last;
  }
}

__global__ void after(const float *__restrict__ Cloud,
                      int *__restrict__ Sample) {
  __shared__ Key OfWarps[Block / 32];
  const float *X = Cloud + blockIdx.x * 3 * Points;
  const float *Y = X + Points, *Z = Y + Points;
  float MyX[Each], MyY[Each], MyZ[Each], Near[Each];
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    const int I = K * Block + threadIdx.x;
    MyX[K] = X[I];
    MyY[K] = Y[I];
    MyZ[K] = Z[I];
    Near[K] = 1e9f;
  }
  int Last = 0;
  for (int S = 0; S < Chosen; ++S) {
    const float3 From = {X[Last], Y[Last], Z[Last]};
    Key Mine = 0;
#pragma unroll
    for (int K = 0; K < Each; ++K) {
      Near[K] = fminf(Near[K], square(MyX[K], MyY[K], MyZ[K], From));
      Mine = max(Mine, key(Near[K], K * Block + threadIdx.x));
    }
    Last = largest(Mine, OfWarps);
    if (threadIdx.x == 0)
      Sample[blockIdx.x * Chosen + S] = Last;
  }
}

int main() {
  const float *Cloud = input<float>(Clouds * 3 * Points);
  float *Distance = output<float>(Clouds * Points);
  int *Expected = output<int>(Clouds * Chosen),
      *Out = output<int>(Clouds * Chosen);
  Pair P("farthest-points-in-registers");
  P.same(Expected, Out, Clouds * Chosen);
  while (P.next())
    if (P.beforesTurn())
      before<<<Clouds, Block>>>(Cloud, Distance, Expected);
    else
      after<<<Clouds, Block>>>(Cloud, Out);
}
