// Rule: cuda-memory-atomic-contention
// Kinetic energy of each molecule of 64 atoms that lie one after another: each
// atom adds its own with an atomic, 32 lanes to one word, or a warp sums its
// atoms by shuffles and adds once.
#include "Pair.cuh"

constexpr int Atoms = 4 << 20, AtomsEach = 64, Molecules = Atoms / AtomsEach;

__device__ float kinetic(const float *Mass, const float *Velocity, int Count,
                         int I) {
  const float X = Velocity[I], Y = Velocity[Count + I],
              Z = Velocity[2 * Count + I];
  return 0.5f * Mass[I] * (X * X + Y * Y + Z * Z);
}

__global__ void before(const float *__restrict__ Mass,
                       const float *__restrict__ Velocity,
                       float *__restrict__ Energy, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  atomicAdd(&Energy[I / AtomsEach], kinetic(Mass, Velocity, Count, I));
}

__global__ void after(const float *__restrict__ Mass,
                      const float *__restrict__ Velocity,
                      float *__restrict__ Energy, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = I < Count ? kinetic(Mass, Velocity, Count, I) : 0.0f;
  for (int Off = 16; Off > 0; Off /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Off);
  if (threadIdx.x % 32 == 0 && I < Count)
    atomicAdd(&Energy[I / AtomsEach], Sum);
}

int main() {
  const float *Mass = input<float>(Atoms),
              *Velocity = input<float>(size_t(3) * Atoms);
  float *Expected = output<float>(Molecules), *Out = output<float>(Molecules);
  Pair P("molecule-energies-by-shuffles");
  P.same(Expected, Out, Molecules);
  while (P.next())
    if (P.beforesTurn())
      before<<<Atoms / 256, 256>>>(Mass, Velocity, Expected, Atoms);
    else
      after<<<Atoms / 256, 256>>>(Mass, Velocity, Out, Atoms);
}
