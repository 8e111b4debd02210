// Rule: cuda-memory-missing-reuse
// Reconstruction of a magnetic resonance image from samples off the grid: each
// voxel sums 2048 samples, which all threads read at the same time. As advised,
// a block brings tiles of 256 samples into shared memory.
#include "../Pair.cuh"

constexpr int Side = 64, Voxels = Side * Side * Side, Samples = 2048;

/// Wave vector and the weight that makes up for the sampling's density.
struct alignas(16) Wave {
  float X, Y, Z, Weight;
};

struct Position {
  float X, Y, Z;
};

__device__ Position position(int Voxel) {
  constexpr float Step = 1.f / Side;
  return {Voxel % Side * Step - 0.5f, Voxel / Side % Side * Step - 0.5f,
          Voxel / (Side * Side) * Step - 0.5f};
}

__device__ void add(float2 &Sum, Position P, Wave K, float2 S) {
  float Turns = K.X * P.X + K.Y * P.Y + K.Z * P.Z;
  Turns -= rintf(Turns);
  float Sine, Cosine;
  __sincosf(6.2831853f * Turns, &Sine, &Cosine);
  Sum.x += K.Weight * (S.x * Cosine - S.y * Sine);
  Sum.y += K.Weight * (S.x * Sine + S.y * Cosine);
}

__global__ void before(const Wave *__restrict__ Waves,
                       const float2 *__restrict__ Received,
                       float2 *__restrict__ Image) {
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  const Position P = position(Voxel);
  float2 Sum = {0, 0};
#pragma unroll 4
  for (int S = 0; S < Samples; ++S)
    add(Sum, P, Waves[S], Received[S]);
  Image[Voxel] = Sum;
}

__global__ void after(const Wave *__restrict__ Waves,
                      const float2 *__restrict__ Received,
                      float2 *__restrict__ Image) {
  constexpr int Tile = 256;
  __shared__ Wave TileWaves[Tile];
  __shared__ float2 TileReceived[Tile];
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  const Position P = position(Voxel);
  float2 Sum = {0, 0};
  for (int First = 0; First < Samples; First += Tile) {
    __syncthreads();
    TileWaves[threadIdx.x] = Waves[First + threadIdx.x];
    TileReceived[threadIdx.x] = Received[First + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int S = 0; S < Tile; ++S)
      add(Sum, P, TileWaves[S], TileReceived[S]);
  }
  Image[Voxel] = Sum;
}

int main() {
  std::vector<Wave> Spiral(Samples);
  for (int S = 0; S < Samples; ++S) {
    const float Radius = 16.f * S / Samples, Angle = 0.1f * S;
    Spiral[S] = {Radius * std::cos(Angle), Radius * std::sin(Angle),
                 mixed(S) * (32 / 4294967296.f) - 16, 0.05f * Radius / 16};
  }
  const Wave *Waves = onDevice(Spiral);
  const float2 *Received = (const float2 *)input<float>(2 * Samples);
  float *Expected = output<float>(2 * Voxels), *Out = output<float>(2 * Voxels);
  Pair P("scanner-trajectory-constant-as-advised");
  P.same(Expected, Out, 2 * Voxels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Voxels / 256, 256>>>(Waves, Received, (float2 *)Expected);
    else
      after<<<Voxels / 256, 256>>>(Waves, Received, (float2 *)Out);
}
