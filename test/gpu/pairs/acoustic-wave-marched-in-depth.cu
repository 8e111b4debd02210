// Rule: cuda-memory-missing-reuse
// A time step of the acoustic wave equation with differences of eighth order,
// 25 points: a thread a point, all from global memory, or blocks that march in
// depth with a tile of the slice in shared memory and the column in registers.
// Micikevicius, "3D finite difference computation on GPUs using CUDA", 2009.
#include "Pair.cuh"

constexpr int Radius = 4, Nx = 256, Ny = 256, Nz = 160, Slab = 40;
constexpr int Pitch = Nx + 2 * Radius, Plane = Pitch * (Ny + 2 * Radius);
constexpr int Bx = 32, By = 16;

__constant__ float Weight[Radius + 1] = {-2.847222f, 1.6f, -0.2f, 0.0253968f,
                                         -0.0017857f};

__global__ void before(const float *__restrict__ Now,
                       const float *__restrict__ Last,
                       const float *__restrict__ Speed,
                       float *__restrict__ Next) {
  const int X = blockIdx.x * 32 + threadIdx.x + Radius,
            Y = blockIdx.y * 8 + threadIdx.y + Radius, Z = blockIdx.z + Radius;
  const int I = Z * Plane + Y * Pitch + X;
  float Sum = 3 * Weight[0] * Now[I];
#pragma unroll
  for (int R = 1; R <= Radius; ++R)
    Sum += Weight[R] *
           (Now[I - R] + Now[I + R] + Now[I - R * Pitch] + Now[I + R * Pitch] +
            Now[I - R * Plane] + Now[I + R * Plane]);
  Next[I] = 2 * Now[I] - Last[I] + Speed[I] * Sum;
}

__global__ void after(const float *__restrict__ Now,
                      const float *__restrict__ Last,
                      const float *__restrict__ Speed,
                      float *__restrict__ Next) {
  __shared__ float Tile[By + 2 * Radius][Bx + 2 * Radius];
  const int Tx = threadIdx.x, Ty = threadIdx.y;
  const int X = blockIdx.x * Bx + Tx + Radius,
            Y = blockIdx.y * By + Ty + Radius;
  int I = (blockIdx.z * Slab + Radius) * Plane + Y * Pitch + X;
  float Column[2 * Radius + 1];
#pragma unroll
  for (int R = 1; R <= 2 * Radius; ++R)
    Column[R] = Now[I + (R - 1 - Radius) * Plane];
  for (int Z = 0; Z < Slab; ++Z, I += Plane) {
#pragma unroll
    for (int R = 0; R < 2 * Radius; ++R)
      Column[R] = Column[R + 1];
    Column[2 * Radius] = Now[I + Radius * Plane];
    __syncthreads();
    Tile[Ty + Radius][Tx + Radius] = Column[Radius];
    if (Tx < Radius) {
      Tile[Ty + Radius][Tx] = Now[I - Radius];
      Tile[Ty + Radius][Tx + Bx + Radius] = Now[I + Bx];
    }
    if (Ty < Radius) {
      Tile[Ty][Tx + Radius] = Now[I - Radius * Pitch];
      Tile[Ty + By + Radius][Tx + Radius] = Now[I + By * Pitch];
    }
    __syncthreads();
    float Sum = 3 * Weight[0] * Column[Radius];
#pragma unroll
    for (int R = 1; R <= Radius; ++R)
      Sum += Weight[R] * (Tile[Ty + Radius][Tx + Radius - R] +
                          Tile[Ty + Radius][Tx + Radius + R] +
                          Tile[Ty + Radius - R][Tx + Radius] +
                          Tile[Ty + Radius + R][Tx + Radius] +
                          Column[Radius - R] + Column[Radius + R]);
    Next[I] = 2 * Column[Radius] - Last[I] + Speed[I] * Sum;
  }
}

int main() {
  constexpr size_t Count = size_t(Plane) * (Nz + 2 * Radius);
  const float *In = input<float>(3 * Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("acoustic-wave-marched-in-depth");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Nx / 32, Ny / 8, Nz), dim3(32, 8)>>>(
          In, In + Count, In + 2 * Count, Expected);
    else
      after<<<dim3(Nx / Bx, Ny / By, Nz / Slab), dim3(Bx, By)>>>(
          In, In + Count, In + 2 * Count, Out);
}
