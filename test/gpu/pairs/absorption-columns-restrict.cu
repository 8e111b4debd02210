// Rule: cuda-memory-missing-restrict
// Radiation followed down through 96 layers of 32768 columns of air, a thread
// for each column: without __restrict__, what a layer holds may not be read
// before the flux of the layer above is written.
#include "Pair.cuh"

constexpr int N = 1 << 15, Layers = 96;

__global__ void before(const float *Depth, const float *Source, float *Flux) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float F = 1;
#pragma unroll 8
  for (int L = 0; L < Layers; ++L) {
    const float Through = __expf(-Depth[L * N + I]);
    F = F * Through + Source[L * N + I] * (1 - Through);
    Flux[L * N + I] = F;
  }
}

__global__ void after(const float *__restrict__ Depth,
                      const float *__restrict__ Source,
                      float *__restrict__ Flux) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float F = 1;
#pragma unroll 8
  for (int L = 0; L < Layers; ++L) {
    const float Through = __expf(-Depth[L * N + I]);
    F = F * Through + Source[L * N + I] * (1 - Through);
    Flux[L * N + I] = F;
  }
}

int main() {
  const float *Depth = input<float>(N * Layers),
              *Source = input<float>(N * Layers);
  float *Expected = output<float>(N * Layers), *Out = output<float>(N * Layers);
  Pair P("absorption-columns-restrict");
  P.same(Expected, Out, N * Layers);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 64, 64>>>(Depth, Source, Expected);
    else
      after<<<N / 64, 64>>>(Depth, Source, Out);
}
