// Rule: cuda-memory-repeated-pass
// A step of a lattice Boltzmann method with 19 velocities (pull, periodic): the
// populations are read once for density and velocity and again to be relaxed,
// or kept in registers in between.
#include "Pair.cuh"

constexpr int Side = 128, Cells = Side * Side * Side, Speeds = 19;
constexpr float Rate = 1.2f;

__device__ constexpr int C[Speeds][3] = {
    {0, 0, 0},   {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},  {0, -1, 0},
    {0, 0, 1},   {0, 0, -1}, {1, 1, 0},  {-1, 1, 0}, {1, -1, 0},
    {-1, -1, 0}, {1, 0, 1},  {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1},
    {0, 1, 1},   {0, -1, 1}, {0, 1, -1}, {0, -1, -1}};

__device__ int source(int Q) {
  const int X = (threadIdx.x - C[Q][0]) & (Side - 1),
            Y = (blockIdx.x - C[Q][1]) & (Side - 1),
            Z = (blockIdx.y - C[Q][2]) & (Side - 1);
  return Q * Cells + (Z * Side + Y) * Side + X;
}

__device__ float equilibrium(int Q, float Density, float U, float V, float W) {
  const float Weight = Q == 0 ? 1 / 3.f : Q < 7 ? 1 / 18.f : 1 / 36.f;
  const float Along = 3 * (C[Q][0] * U + C[Q][1] * V + C[Q][2] * W);
  return Weight * Density *
         (1 + Along + 0.5f * Along * Along - 1.5f * (U * U + V * V + W * W));
}

__global__ void before(const float *In, float *Out) {
  const int I = (blockIdx.y * Side + blockIdx.x) * Side + threadIdx.x;
  float Density = 0, U = 0, V = 0, W = 0;
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q) {
    const float F = In[source(Q)];
    Density += F;
    U += C[Q][0] * F;
    V += C[Q][1] * F;
    W += C[Q][2] * F;
  }
  U /= Density;
  V /= Density;
  W /= Density;
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q) {
    const float F = In[source(Q)];
    Out[Q * Cells + I] = F + Rate * (equilibrium(Q, Density, U, V, W) - F);
  }
}

__global__ void after(const float *In, float *Out) {
  const int I = (blockIdx.y * Side + blockIdx.x) * Side + threadIdx.x;
  float F[Speeds], Density = 0, U = 0, V = 0, W = 0;
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q) {
    F[Q] = In[source(Q)];
    Density += F[Q];
    U += C[Q][0] * F[Q];
    V += C[Q][1] * F[Q];
    W += C[Q][2] * F[Q];
  }
  U /= Density;
  V /= Density;
  W /= Density;
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q)
    Out[Q * Cells + I] =
        F[Q] + Rate * (equilibrium(Q, Density, U, V, W) - F[Q]);
}

int main() {
  const float *In = input<float>(Speeds * Cells);
  float *Expected = output<float>(Speeds * Cells),
        *Out = output<float>(Speeds * Cells);
  Pair P("lattice-populations-kept");
  P.same(Expected, Out, Speeds * Cells);
  const dim3 Grid(Side, Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Side>>>(In, Expected);
    else
      after<<<Grid, Side>>>(In, Out);
}
