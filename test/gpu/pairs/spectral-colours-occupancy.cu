// Rule: cuda-memory-register-spill
// Colours of glowing bodies: Planck's law at 64 wavelengths, times three
// curves. The bounds ask for more warps than the registers would leave.
#include "Pair.cuh"

constexpr int N = 1 << 20, Waves = 64;

__device__ float lobe(float X, float At, float Width) {
  const float T = (X - At) / Width;
  return __expf(-0.5f * T * T);
}

__device__ void colour(const float *Kelvin, float *Out) {
  const int I = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  float R[4] = {}, G[4] = {}, B[4] = {}, T[4];
#pragma unroll
  for (int J = 0; J < 4; ++J)
    T[J] = 1000 + 9000 * Kelvin[I + J];
#pragma unroll 4
  for (int W = 0; W < Waves; ++W) {
    const float Long = 0.38f + 0.00625f * W, L2 = Long * Long;
    const float Red = lobe(Long, 0.6f, 0.04f), Green = lobe(Long, 0.55f, 0.045f);
    const float Blue = lobe(Long, 0.45f, 0.025f);
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      const float Glow =
          1 / (L2 * L2 * Long * (__expf(14388 / (Long * T[J])) - 1));
      R[J] += Red * Glow;
      G[J] += Green * Glow;
      B[J] += Blue * Glow;
    }
  }
#pragma unroll
  for (int J = 0; J < 4; ++J) {
    Out[I + J] = R[J];
    Out[N + I + J] = G[J];
    Out[2 * N + I + J] = B[J];
  }
}

__global__ void before(const float *Kelvin, float *Out) { colour(Kelvin, Out); }

__global__ void __launch_bounds__(256, 8)
    after(const float *Kelvin, float *Out) {
  colour(Kelvin, Out);
}

int main() {
  const float *Kelvin = input<float>(N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("spectral-colours-occupancy");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 1024, 256>>>(Kelvin, Expected);
    else
      after<<<N / 1024, 256>>>(Kelvin, Out);
}
