// Rule: cuda-memory-local-array
// Pressure down the columns of an ocean, as deep as the sea is at each place:
// densities of the column are first put into a local array, or each is used as
// soon as it is known.
#include "Pair.cuh"

constexpr int Columns = 1 << 17, Levels = 50;
constexpr float HalfGravity = 0.5f * 9.81f;

__device__ float density(float Warmth, float Salt) {
  const float T = 30 * Warmth, S = 40 * Salt;
  return 999.84f + T * (0.068f + T * (-0.0091f + T * 1.0e-4f)) +
         S * (0.8245f - T * (0.0041f - T * 7.6e-5f));
}

__global__ void before(const unsigned char *__restrict__ Depth,
                       const float *__restrict__ Warmth,
                       const float *__restrict__ Salt,
                       const float *__restrict__ Thickness,
                       float *__restrict__ Pressure) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Wet = Depth[I];
  float Density[Levels];
  for (int L = 0; L < Wet; ++L)
    Density[L] = density(Warmth[L * Columns + I], Salt[L * Columns + I]);
  float Sum = 0;
  for (int L = 0; L < Wet; ++L) {
    const float Above = Density[L > 0 ? L - 1 : 0];
    Sum += HalfGravity * Thickness[L] * (Above + Density[L]);
    Pressure[L * Columns + I] = Sum;
  }
}

__global__ void after(const unsigned char *__restrict__ Depth,
                      const float *__restrict__ Warmth,
                      const float *__restrict__ Salt,
                      const float *__restrict__ Thickness,
                      float *__restrict__ Pressure) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Wet = Depth[I];
  float Sum = 0, Last = 0;
  for (int L = 0; L < Wet; ++L) {
    const float Density =
        density(Warmth[L * Columns + I], Salt[L * Columns + I]);
    const float Above = L > 0 ? Last : Density;
    Sum += HalfGravity * Thickness[L] * (Above + Density);
    Pressure[L * Columns + I] = Sum;
    Last = Density;
  }
}

int main() {
  constexpr int Count = Columns * Levels;
  // Neighbours are about as deep.
  std::vector<unsigned char> Depths(Columns);
  for (int I = 0; I < Columns; ++I)
    Depths[I] = 25 + int(mixed(I / 64) % 22) + int(mixed(I) % 4);
  const unsigned char *Depth = onDevice(Depths);
  const float *Warmth = input<float>(Count), *Salt = input<float>(Count),
              *Thickness = input<float>(Levels);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("ocean-column-scratch-removed");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / 128, 128>>>(Depth, Warmth, Salt, Thickness, Expected);
    else
      after<<<Columns / 128, 128>>>(Depth, Warmth, Salt, Thickness, Out);
}
