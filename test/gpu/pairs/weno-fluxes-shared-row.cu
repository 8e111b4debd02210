// Rule: cuda-memory-missing-reuse
// A step of transport along X in a box of 256x256x256 cells by weighted
// essentially non-oscillatory fluxes of fifth order: the six cells that a
// thread needs come from global memory, or from rows in shared memory.
#include "Pair.cuh"

constexpr int Side = 256, Margin = 16, Pitch = Side + 2 * Margin, BX = 64,
              BY = 2, BZ = 2;

__device__ __forceinline__ float flux(float A, float B, float C, float D,
                                      float E) {
  const float P = A - 2 * B + C, Q = B - 2 * C + D, R = C - 2 * D + E;
  const float S = A - 4 * B + 3 * C, T = B - D, U = 3 * C - 4 * D + E;
  const float I = 1.0833333f * P * P + 0.25f * S * S + 1e-4f;
  const float J = 1.0833333f * Q * Q + 0.25f * T * T + 1e-4f;
  const float K = 1.0833333f * R * R + 0.25f * U * U + 1e-4f;
  const float X = 0.1f / (I * I), Y = 0.6f / (J * J), Z = 0.3f / (K * K);
  return (X * (2 * A - 7 * B + 11 * C) + Y * (5 * C - B + 2 * D) +
          Z * (2 * C + 5 * D - E)) /
         (6 * (X + Y + Z));
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       float Rate) {
  const int X = blockIdx.x * BX + threadIdx.x,
            Y = blockIdx.y * BY + threadIdx.y,
            Z = blockIdx.z * BZ + threadIdx.z;
  const int Row = (Z * Side + Y) * Pitch + Margin;
  const float *At = In + Row + X;
  const float A = At[-3], B = At[-2], C = At[-1], D = At[0], E = At[1],
              F = At[2];
  Out[Row + X] = D - Rate * (flux(B, C, D, E, F) - flux(A, B, C, D, E));
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      float Rate) {
  __shared__ float Cells[BZ][BY][BX + 5];
  const int X = blockIdx.x * BX + threadIdx.x,
            Y = blockIdx.y * BY + threadIdx.y,
            Z = blockIdx.z * BZ + threadIdx.z;
  const int Row = (Z * Side + Y) * Pitch + Margin;
  float *Line = Cells[threadIdx.z][threadIdx.y];
  Line[threadIdx.x] = In[Row + X - 3];
  if (threadIdx.x < 5)
    Line[threadIdx.x + BX] = In[Row + X + BX - 3];
  __syncthreads();
  const float *At = Line + threadIdx.x + 3;
  const float A = At[-3], B = At[-2], C = At[-1], D = At[0], E = At[1],
              F = At[2];
  Out[Row + X] = D - Rate * (flux(B, C, D, E, F) - flux(A, B, C, D, E));
}

int main() {
  constexpr int Count = Side * Side * Pitch;
  const float *In = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  const dim3 Grid(Side / BX, Side / BY, Side / BZ), Block(BX, BY, BZ);
  Pair P("weno-fluxes-shared-row");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected, 0.1f);
    else
      after<<<Grid, Block>>>(In, Out, 0.1f);
}
