// Rule: cuda-memory-constant-candidate
// Loss of a portfolio in each of 262144 scenarios: 32 independent normal shocks
// are correlated by a Cholesky factor, the same for all threads, that lies in
// global memory or in constant memory.
#include "Pair.cuh"

constexpr int Scenarios = 1 << 18, Factors = 32;
constexpr int Entries = Factors * (Factors + 1) / 2;

__constant__ float Correlation[Entries];
__constant__ float Position[Factors];

__global__ void before(const float *__restrict__ Normals,
                       const float *__restrict__ Factor,
                       const float *__restrict__ Held,
                       float *__restrict__ Loss) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Z[Factors];
#pragma unroll
  for (int F = 0; F < Factors; ++F)
    Z[F] = Normals[F * Scenarios + I];
  float Sum = 0;
#pragma unroll
  for (int F = 0; F < Factors; ++F) {
    float Shock = 0;
#pragma unroll
    for (int J = 0; J <= F; ++J)
      Shock += Factor[F * (F + 1) / 2 + J] * Z[J];
    Sum += Held[F] * (1 - __expf(-0.05f * Shock));
  }
  Loss[I] = Sum;
}

__global__ void after(const float *__restrict__ Normals,
                      float *__restrict__ Loss) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Z[Factors];
#pragma unroll
  for (int F = 0; F < Factors; ++F)
    Z[F] = Normals[F * Scenarios + I];
  float Sum = 0;
#pragma unroll
  for (int F = 0; F < Factors; ++F) {
    float Shock = 0;
#pragma unroll
    for (int J = 0; J <= F; ++J)
      Shock += Correlation[F * (F + 1) / 2 + J] * Z[J];
    Sum += Position[F] * (1 - __expf(-0.05f * Shock));
  }
  Loss[I] = Sum;
}

int main() {
  const float *Normals = input<float>(Scenarios * Factors),
              *Factor = input<float>(Entries), *Held = input<float>(Factors);
  must(cudaMemcpyToSymbol(Correlation, Factor, sizeof(Correlation), 0,
                          cudaMemcpyDeviceToDevice));
  must(cudaMemcpyToSymbol(Position, Held, sizeof(Position), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Scenarios), *Out = output<float>(Scenarios);
  Pair P("correlated-shocks-factor-constant");
  P.same(Expected, Out, Scenarios);
  while (P.next())
    if (P.beforesTurn())
      before<<<Scenarios / 128, 128>>>(Normals, Factor, Held, Expected);
    else
      after<<<Scenarios / 128, 128>>>(Normals, Out);
}
