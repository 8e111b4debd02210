// Rule: cuda-memory-array-of-structs
// Collisions of a flow of nine velocities: those of a cell lie together, or
// each velocity has a plane of its own.
#include "Pair.cuh"

constexpr int N = 1 << 20, Q = 9;

struct Cell {
  float F[Q];
};

__device__ void collide(float (&F)[Q], float Rate) {
  constexpr int CX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  constexpr int CY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  constexpr float W[Q] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                          1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
  float Density = 0, U = 0, V = 0;
#pragma unroll
  for (int I = 0; I < Q; ++I) {
    Density += F[I];
    U += CX[I] * F[I];
    V += CY[I] * F[I];
  }
  U /= Density;
  V /= Density;
#pragma unroll
  for (int I = 0; I < Q; ++I) {
    const float Along = 3 * (CX[I] * U + CY[I] * V);
    const float Rest =
        W[I] * Density * (1 + Along + Along * Along / 2 - 1.5f * (U * U + V * V));
    F[I] += Rate * (Rest - F[I]);
  }
}

__global__ void before(const Cell *In, Cell *Out, float Rate) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float F[Q];
#pragma unroll
  for (int V = 0; V < Q; ++V)
    F[V] = In[I].F[V];
  collide(F, Rate);
#pragma unroll
  for (int V = 0; V < Q; ++V)
    Out[I].F[V] = F[V];
}

__global__ void after(const float *In, float *Out, float Rate) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float F[Q];
#pragma unroll
  for (int V = 0; V < Q; ++V)
    F[V] = In[V * N + I];
  collide(F, Rate);
#pragma unroll
  for (int V = 0; V < Q; ++V)
    Out[V * N + I] = F[V];
}

int main() {
  const float *In = input<float>(Q * N);
  const float *Planes =
      arranged(In, Q * N, Q * N, [](size_t I) { return I % N * Q + I / N; });
  float *Expected = output<float>(Q * N), *Out = output<float>(Q * N);
  Pair P("lattice-boltzmann-planes");
  P.same(Expected, Out, Q * N, [](size_t I) { return I % Q * N + I / Q; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Cell *)In, (Cell *)Expected, 0.6f);
    else
      after<<<N / 256, 256>>>(Planes, Out, 0.6f);
}
