// Rule: cuda-memory-missing-restrict
// The update of conjugate gradients with four right-hand sides: solutions,
// residuals and preconditioned residuals. Step lengths come from sums that lie
// in global memory and, as far as the compiler knows, each store may change
// them and what is loaded next; or the pointers are __restrict__.
#include "Pair.cuh"

constexpr int N = 1 << 20, Sides = 4, Blocks = 132 * 8;

__global__ void before(const float *Rho, const float *Curvature,
                       const float *Diagonal, const float *Direction,
                       const float *Image, float *Solution, float *Residual,
                       float *Conditioned) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    const float Inverse = 1 / (1 + Diagonal[I]);
    for (int S = 0; S < Sides; ++S) {
      const int J = S * N + I;
      const float Step = Rho[S] / Curvature[S];
      const float R = Residual[J] - Step * Image[J];
      Solution[J] += Step * Direction[J];
      Residual[J] = R;
      Conditioned[J] = Inverse * R;
    }
  }
}

__global__ void after(const float *__restrict__ Rho,
                      const float *__restrict__ Curvature,
                      const float *__restrict__ Diagonal,
                      const float *__restrict__ Direction,
                      const float *__restrict__ Image,
                      float *__restrict__ Solution,
                      float *__restrict__ Residual,
                      float *__restrict__ Conditioned) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    const float Inverse = 1 / (1 + Diagonal[I]);
    for (int S = 0; S < Sides; ++S) {
      const int J = S * N + I;
      const float Step = Rho[S] / Curvature[S];
      const float R = Residual[J] - Step * Image[J];
      Solution[J] += Step * Direction[J];
      Residual[J] = R;
      Conditioned[J] = Inverse * R;
    }
  }
}

int main() {
  constexpr int All = Sides * N;
  const float *Sums = onDevice<float>({0.3f, 0.2f, 0.4f, 0.1f, //
                                       0.5f, 0.6f, 0.7f, 0.8f});
  const float *Diagonal = input<float>(N);
  const float *Direction = input<float>(2 * All), *Image = Direction + All;
  float *Expected = input<float>(3 * All), *Out = input<float>(3 * All);
  Pair P("block-krylov-scalars-restrict");
  P.same(Expected, Out, 3 * All);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Sums, Sums + Sides, Diagonal, Direction, Image,
                              Expected, Expected + All, Expected + 2 * All);
    else
      after<<<Blocks, 256>>>(Sums, Sums + Sides, Diagonal, Direction, Image,
                             Out, Out + All, Out + 2 * All);
}
