// Rule: cuda-memory-misaligned
// Decibels of spectra of 513 complex numbers, a block each: rows follow each
// other, or each begins at a multiple of 128 bytes.
#include "Pair.cuh"

constexpr int Frames = 8192, Bins = 513, Wide = 544;

__device__ void decibels(const float2 *In, float *Out, int Bins, int Pitch) {
  for (int B = threadIdx.x; B < Bins; B += blockDim.x) {
    const float2 V = In[blockIdx.x * Pitch + B];
    Out[blockIdx.x * Pitch + B] =
        10 * __log10f(V.x * V.x + V.y * V.y + 1e-6f);
  }
}

__global__ void before(const float2 *In, float *Out, int Bins, int Pitch) {
  decibels(In, Out, Bins, Pitch);
}

__global__ void after(const float2 *In, float *Out, int Bins, int Pitch) {
  decibels(In, Out, Bins, Pitch);
}

int main() {
  const float *In = input<float>(2 * Frames * Bins);
  const float *Padded =
      arranged(In, 2 * Frames * Bins, 2 * Frames * Wide, [](size_t I) {
        const size_t Row = I / (2 * Wide), At = I % (2 * Wide);
        return Row * 2 * Bins + At % (2 * Bins);
      });
  float *Expected = output<float>(Frames * Wide),
        *Out = output<float>(Frames * Wide);
  Pair P("spectrogram-rows-aligned");
  // Between its rows the one has zeros, the other behind them.
  P.same(Out, Expected, Frames * Wide, [](size_t I) {
    return I % Wide < Bins ? I / Wide * Bins + I % Wide : Frames * Bins;
  });
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames, 128>>>((const float2 *)In, Expected, Bins, Bins);
    else
      after<<<Frames, 128>>>((const float2 *)Padded, Out, Bins, Wide);
}
