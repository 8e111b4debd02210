// Rule: cuda-memory-synchronous-staging
// Locality-sensitive hashing: on which side of 32 planes each point of 128
// dimensions lies. The block brings 32 dimensions of 64 points and of the
// planes to shared memory and waits, or copies the next ones by cp.async while
// it computes. CUDA programming guide, asynchronous copies.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Points = 1 << 16, Width = 128, Planes = 32;
constexpr int Tile = 64, Depth = 32, Block = 256, Each = Tile / (Block / 32);

__device__ void accumulate(const float (*Point)[Depth],
                           const float (*Plane)[Planes], float (&Sum)[Each]) {
  const int Lane = threadIdx.x % 32, First = threadIdx.x / 32 * Each;
#pragma unroll 8
  for (int K = 0; K < Depth; ++K) {
    const float W = Plane[K][Lane];
#pragma unroll
    for (int E = 0; E < Each; ++E)
      Sum[E] += Point[First + E][K] * W;
  }
}

__device__ void writeSides(const float (&Sum)[Each], unsigned *Hash) {
  const int First = blockIdx.x * Tile + threadIdx.x / 32 * Each;
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    const unsigned Sides = __ballot_sync(~0u, Sum[E] > 0);
    if (threadIdx.x % 32 == 0)
      Hash[First + E] = Sides;
  }
}

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Normals,
                       unsigned *__restrict__ Hash) {
  __shared__ float Point[Tile][Depth], Plane[Depth][Planes];
  const float *Mine = In + size_t(blockIdx.x) * Tile * Width;
  float Sum[Each] = {};
  for (int K = 0; K < Width; K += Depth) {
    for (int I = threadIdx.x; I < Tile * Depth; I += Block)
      Point[I / Depth][I % Depth] = Mine[I / Depth * Width + K + I % Depth];
    for (int I = threadIdx.x; I < Depth * Planes; I += Block)
      Plane[I / Planes][I % Planes] = Normals[K * Planes + I];
    __syncthreads();
    accumulate(Point, Plane, Sum);
    __syncthreads();
  }
  writeSides(Sum, Hash);
}

__device__ void fetch(float (*Point)[Depth], float (*Plane)[Planes],
                      const float *Mine, const float *Normals, int K) {
  for (int I = threadIdx.x * 4; I < Tile * Depth; I += Block * 4)
    __pipeline_memcpy_async(&Point[I / Depth][I % Depth],
                            Mine + I / Depth * Width + K + I % Depth, 16);
  for (int I = threadIdx.x * 4; I < Depth * Planes; I += Block * 4)
    __pipeline_memcpy_async(&Plane[I / Planes][I % Planes],
                            Normals + K * Planes + I, 16);
  __pipeline_commit();
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Normals,
                      unsigned *__restrict__ Hash) {
  __shared__ __align__(16) float Point[2][Tile][Depth], Plane[2][Depth][Planes];
  const float *Mine = In + size_t(blockIdx.x) * Tile * Width;
  float Sum[Each] = {};
  fetch(Point[0], Plane[0], Mine, Normals, 0);
  for (int K = 0, Now = 0; K < Width; K += Depth, Now ^= 1) {
    if (K + Depth < Width) {
      fetch(Point[Now ^ 1], Plane[Now ^ 1], Mine, Normals, K + Depth);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    accumulate(Point[Now], Plane[Now], Sum);
    __syncthreads();
  }
  writeSides(Sum, Hash);
}

int main() {
  std::vector<float> Host(Width * Planes);
  for (size_t I = 0; I < Host.size(); ++I)
    Host[I] = mixed(I + 12345) / 2147483648.0f - 1;
  const float *Normals = onDevice(Host);
  const float *In = input<float>(size_t(Points) * Width);
  unsigned *Expected = output<unsigned>(Points),
           *Out = output<unsigned>(Points);
  Pair P("hash-planes-double-buffered");
  P.same(Expected, Out, Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / Tile, Block>>>(In, Normals, Expected);
    else
      after<<<Points / Tile, Block>>>(In, Normals, Out);
}
