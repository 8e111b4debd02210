// Rule: cuda-memory-gather
// Trilinear samples of a volume of bytes at scattered points, eight bytes each:
// the volume lies row by row, where four rows are touched, or in bricks of
// 4x4x4 bytes, where two are on average.
#include "Pair.cuh"

constexpr unsigned Side = 512, Samples = 1 << 20;

struct Rows {
  static __host__ __device__ unsigned place(unsigned X, unsigned Y,
                                            unsigned Z) {
    return (Z * Side + Y) * Side + X;
  }
};

struct Bricks {
  static __host__ __device__ unsigned place(unsigned X, unsigned Y,
                                            unsigned Z) {
    const unsigned Brick =
        ((Z / 4) * (Side / 4) + Y / 4) * (Side / 4) + X / 4;
    return Brick * 64 + (Z % 4) * 16 + (Y % 4) * 4 + X % 4;
  }
};

template <class Layout>
__device__ float sampled(const uint8_t *__restrict__ Volume, float PX,
                         float PY, float PZ) {
  const float FX = PX * (Side - 2), FY = PY * (Side - 2), FZ = PZ * (Side - 2);
  const unsigned X = unsigned(FX), Y = unsigned(FY), Z = unsigned(FZ);
  const float U = FX - X, V = FY - Y, W = FZ - Z;
  float Corner[2][2][2];
#pragma unroll
  for (unsigned C = 0; C < 8; ++C)
    Corner[C / 4][C / 2 % 2][C % 2] =
        Volume[Layout::place(X + C % 2, Y + C / 2 % 2, Z + C / 4)];
  float Plane[2];
#pragma unroll
  for (int K = 0; K < 2; ++K) {
    const float Low = Corner[K][0][0] + U * (Corner[K][0][1] - Corner[K][0][0]);
    const float High =
        Corner[K][1][0] + U * (Corner[K][1][1] - Corner[K][1][0]);
    Plane[K] = Low + V * (High - Low);
  }
  return Plane[0] + W * (Plane[1] - Plane[0]);
}

__global__ void before(const uint8_t *__restrict__ Volume,
                       const float *__restrict__ Points,
                       float *__restrict__ Value, unsigned Count) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Value[I] = sampled<Rows>(Volume, Points[I], Points[Count + I],
                             Points[2 * Count + I]);
}

__global__ void after(const uint8_t *__restrict__ Volume,
                      const float *__restrict__ Points,
                      float *__restrict__ Value, unsigned Count) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Value[I] = sampled<Bricks>(Volume, Points[I], Points[Count + I],
                               Points[2 * Count + I]);
}

int main() {
  constexpr size_t Voxels = size_t(Side) * Side * Side;
  const uint8_t *Volume = input<uint8_t>(Voxels, 256);
  const uint8_t *Bricked = arranged(Volume, Voxels, Voxels, [](size_t At) {
    const unsigned In = At % 64, Brick = unsigned(At / 64), N = Side / 4;
    return size_t(Rows::place(Brick % N * 4 + In % 4,
                              Brick / N % N * 4 + In / 4 % 4,
                              Brick / (N * N) * 4 + In / 16));
  });
  const float *Points = input<float>(size_t(3) * Samples);
  float *Expected = output<float>(Samples), *Out = output<float>(Samples);
  Pair P("volume-samples-in-bricks");
  P.same(Expected, Out, Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples / 256, 256>>>(Volume, Points, Expected, Samples);
    else
      after<<<Samples / 256, 256>>>(Bricked, Points, Out, Samples);
}
