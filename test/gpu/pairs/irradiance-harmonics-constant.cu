// Rule: cuda-memory-constant-candidate
// Diffuse light on each pixel's normal from nine spherical harmonics of three
// colours: 27 coefficients that all threads read, from global or from constant
// memory. Normals and colours come from DRAM and go there, which hides it.
#include "Pair.cuh"

constexpr int Pixels = 4 << 20, Terms = 9;

__constant__ float Probe[3 * Terms];

struct Basis {
  float Term[Terms];
  __device__ Basis(float X, float Y, float Z) {
    Term[0] = 0.282095f;
    Term[1] = 0.488603f * Y;
    Term[2] = 0.488603f * Z;
    Term[3] = 0.488603f * X;
    Term[4] = 1.092548f * X * Y;
    Term[5] = 1.092548f * Y * Z;
    Term[6] = 0.315392f * (3 * Z * Z - 1);
    Term[7] = 1.092548f * X * Z;
    Term[8] = 0.546274f * (X * X - Y * Y);
  }
};

__global__ void before(const float *__restrict__ Normal,
                       const float *__restrict__ Coefficient,
                       float *__restrict__ Light, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const Basis B(Normal[I], Normal[Count + I], Normal[2 * Count + I]);
#pragma unroll
  for (int C = 0; C < 3; ++C) {
    float Sum = 0;
#pragma unroll
    for (int T = 0; T < Terms; ++T)
      Sum += Coefficient[C * Terms + T] * B.Term[T];
    Light[C * Count + I] = Sum;
  }
}

__global__ void after(const float *__restrict__ Normal,
                      float *__restrict__ Light, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const Basis B(Normal[I], Normal[Count + I], Normal[2 * Count + I]);
#pragma unroll
  for (int C = 0; C < 3; ++C) {
    float Sum = 0;
#pragma unroll
    for (int T = 0; T < Terms; ++T)
      Sum += Probe[C * Terms + T] * B.Term[T];
    Light[C * Count + I] = Sum;
  }
}

int main() {
  const float *Normal = input<float>(size_t(3) * Pixels),
              *Coefficient = input<float>(3 * Terms);
  must(cudaMemcpyToSymbol(Probe, Coefficient, sizeof(Probe), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(size_t(3) * Pixels),
        *Out = output<float>(size_t(3) * Pixels);
  Pair P("irradiance-harmonics-constant");
  P.same(Expected, Out, size_t(3) * Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / 256, 256>>>(Normal, Coefficient, Expected, Pixels);
    else
      after<<<Pixels / 256, 256>>>(Normal, Out, Pixels);
}
