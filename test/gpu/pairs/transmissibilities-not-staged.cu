// Rule: cuda-memory-needless-staging
// Pressures of an oil reservoir times its matrix of seven bands: a block copies
// the bands of its cells to shared memory, where each thread reads the seven
// numbers that it put there itself; or each loads its own.
#include "Pair.cuh"

constexpr int Nx = 256, Ny = 256, Nz = 64, Cells = Nx * Ny * Nz;
constexpr int Layer = Nx * Ny, Bands = 7;

struct Around {
  float West, East, South, North, Below, Above;
};

__device__ Around around(const float *__restrict__ Pressure, int I) {
  const int X = I % Nx, Y = I / Nx % Ny, Z = I / Layer;
  const float *P = Pressure + I;
  return {X > 0 ? P[-1] : 0.f,      X < Nx - 1 ? P[1] : 0.f,
          Y > 0 ? P[-Nx] : 0.f,     Y < Ny - 1 ? P[Nx] : 0.f,
          Z > 0 ? P[-Layer] : 0.f, Z < Nz - 1 ? P[Layer] : 0.f};
}

__global__ void before(const float *__restrict__ Matrix,
                       const float *__restrict__ Pressure,
                       const float *__restrict__ Source,
                       float *__restrict__ Residual) {
  __shared__ float Band[Bands][256];
  const int T = threadIdx.x, I = blockIdx.x * 256 + T;
#pragma unroll
  for (int B = 0; B < Bands; ++B)
    Band[B][T] = Matrix[B * Cells + I];
  __syncthreads();
  const Around P = around(Pressure, I);
  float Sum = Source[I] - Band[0][T] * Pressure[I];
  Sum += Band[1][T] * P.West + Band[2][T] * P.East;
  Sum += Band[3][T] * P.South + Band[4][T] * P.North;
  Sum += Band[5][T] * P.Below + Band[6][T] * P.Above;
  Residual[I] = Sum;
}

__global__ void after(const float *__restrict__ Matrix,
                      const float *__restrict__ Pressure,
                      const float *__restrict__ Source,
                      float *__restrict__ Residual) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float *Band = Matrix + I;
  const Around P = around(Pressure, I);
  float Sum = Source[I] - Band[0] * Pressure[I];
  Sum += Band[Cells] * P.West + Band[2 * Cells] * P.East;
  Sum += Band[3 * Cells] * P.South + Band[4 * Cells] * P.North;
  Sum += Band[5 * Cells] * P.Below + Band[6 * Cells] * P.Above;
  Residual[I] = Sum;
}

int main() {
  const float *Matrix = input<float>(size_t(Bands) * Cells);
  const float *Pressure = input<float>(Cells), *Source = input<float>(Cells);
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("transmissibilities-not-staged");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / 256, 256>>>(Matrix, Pressure, Source, Expected);
    else
      after<<<Cells / 256, 256>>>(Matrix, Pressure, Source, Out);
}
