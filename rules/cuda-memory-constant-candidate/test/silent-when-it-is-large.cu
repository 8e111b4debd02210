// A table of 32 KiB: warps that fall out of step drive out of the constant cache
// what the others have brought, and how far they do nobody foretells. One of 4 KiB
// is worth it.
//
// RUN: %checkpriced --checks='-*,cuda-memory-constant-candidate' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct alignas(16) Wave {
  float X, Y, Z, Weight;
};

constexpr int Voxels = 1 << 18;

template <int Samples>
__device__ void reconstruct(const Wave *Waves, const float2 *Received,
                            float2 *Image) {
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Voxel % 64, Y = Voxel / 64 % 64, Z = Voxel / 4096;
  float2 Sum = {0, 0};
#pragma unroll 4
  for (int S = 0; S < Samples; ++S) {
    const Wave K = Waves[S];
    const float2 Seen = Received[S];
    float Sine, Cosine;
    __sincosf(K.X * X + K.Y * Y + K.Z * Z, &Sine, &Cosine);
    Sum.x += K.Weight * (Seen.x * Cosine - Seen.y * Sine);
    Sum.y += K.Weight * (Seen.x * Sine + Seen.y * Cosine);
  }
  Image[Voxel] = Sum;
}

// CHECK: warning: all lanes of all blocks read the same words of 'Few'
__global__ void small(const Wave *__restrict__ Few,
                      const float2 *__restrict__ Received,
                      float2 *__restrict__ Image) {
  reconstruct<256>(Few, Received, Image);
}

__global__ void large(const Wave *__restrict__ Many,
                      const float2 *__restrict__ Received,
                      float2 *__restrict__ Image) {
  reconstruct<2048>(Many, Received, Image);
}

void launch(const Wave *Waves, const float2 *Received, float2 *Image) {
  small<<<Voxels / 256, 256>>>(Waves, Received, Image);
  large<<<Voxels / 256, 256>>>(Waves, Received, Image);
}
