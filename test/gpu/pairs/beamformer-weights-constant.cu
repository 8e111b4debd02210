// Rule: cuda-memory-constant-candidate
// A beam from 64 antennas, each with its weight and delay. The weights are the
// same for all lanes, and are constants or not; the samples come from DRAM.
#include "Pair.cuh"

constexpr int Antennas = 64, Samples = 1 << 19, Delay = 8,
              Pitch = Samples + Antennas * Delay;

__constant__ float Weights[Antennas];

__global__ void before(const float *In, const float *Weight, float *Beam) {
  const int S = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int A = 0; A < Antennas; ++A)
    Sum += Weight[A] * In[A * Pitch + A * Delay + S];
  Beam[S] = Sum;
}

__global__ void after(const float *In, float *Beam) {
  const int S = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int A = 0; A < Antennas; ++A)
    Sum += Weights[A] * In[A * Pitch + A * Delay + S];
  Beam[S] = Sum;
}

int main() {
  const float *In = input<float>(Antennas * Pitch),
              *Weight = input<float>(Antennas);
  must(cudaMemcpyToSymbol(Weights, Weight, Antennas * sizeof(float), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Samples), *Out = output<float>(Samples);
  Pair P("beamformer-weights-constant");
  P.same(Expected, Out, Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples / 256, 256>>>(In, Weight, Expected);
    else
      after<<<Samples / 256, 256>>>(In, Out);
}
