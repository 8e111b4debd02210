// Rule: cuda-memory-register-spill
// The collision step of a lattice-Boltzmann fluid of 19 directions, planes
// apart. Bounds that ask for eight blocks of 256 leave 32 registers a thread,
// and directions are spilled; bounds for four leave 64. CUDA programming guide,
// launch bounds; a trade of occupancy for spills.
#include "Pair.cuh"

constexpr int Cells = 96 * 96 * 64, Directions = 19, Block = 256;

__device__ constexpr int Ex[Directions] = {0,  1, -1, 0, 0,  0, 0, 1, -1, 1,
                                           -1, 1, -1, 1, -1, 0, 0, 0, 0};
__device__ constexpr int Ey[Directions] = {0, 0, 0, 1, -1, 0, 0,  1, -1, -1,
                                           1, 0, 0, 0, 0,  1, -1, 1, -1};
__device__ constexpr int Ez[Directions] = {0, 0, 0,  0,  0, 1, -1, 0,  0, 0,
                                           0, 1, -1, -1, 1, 1, -1, -1, 1};

__device__ void collide(const float *__restrict__ In, float *__restrict__ Out,
                        float Rate, float Force) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float F[Directions], Density = 0, Ux = 0, Uy = 0, Uz = 0;
#pragma unroll
  for (int D = 0; D < Directions; ++D) {
    F[D] = In[D * Cells + I];
    Density += F[D];
    Ux += Ex[D] * F[D];
    Uy += Ey[D] * F[D];
    Uz += Ez[D] * F[D];
  }
  const float Inverse = 1 / Density;
  Ux = Ux * Inverse + Force;
  Uy *= Inverse;
  Uz *= Inverse;
  const float Square = 1 - 1.5f * (Ux * Ux + Uy * Uy + Uz * Uz);
#pragma unroll
  for (int D = 0; D < Directions; ++D) {
    const float Along = 3 * (Ex[D] * Ux + Ey[D] * Uy + Ez[D] * Uz);
    const float Weight = D == 0 ? 1 / 3.0f : D < 7 ? 1 / 18.0f : 1 / 36.0f;
    const float Balance =
        Weight * Density * (Square + Along + 0.5f * Along * Along);
    Out[D * Cells + I] = F[D] + Rate * (Balance - F[D]);
  }
}

__global__ __launch_bounds__(Block, 8) void before(const float *__restrict__ In,
                                                   float *__restrict__ Out,
                                                   float Rate, float Force) {
  collide(In, Out, Rate, Force);
}

__global__ __launch_bounds__(Block, 4) void after(const float *__restrict__ In,
                                                  float *__restrict__ Out,
                                                  float Rate, float Force) {
  collide(In, Out, Rate, Force);
}

int main() {
  constexpr size_t Count = size_t(Cells) * Directions;
  const float *In = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("collision-of-nineteen-wider-bounds");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / Block, Block>>>(In, Expected, 0.8f, 1e-4f);
    else
      after<<<Cells / Block, Block>>>(In, Out, 0.8f, 1e-4f);
}
