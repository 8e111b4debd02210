// Rule: cuda-memory-idle-lanes
// Raw counts of a hyperspectral camera, 20 bands a pixel, become reflectances.
// A warp takes a pixel, and 12 of its lanes do nothing; or threads are numbered
// over pixels and bands alike. "Avoid partly filled warps", as guides to SIMT
// efficiency say.
#include "Pair.cuh"

constexpr int Pixels = 3 << 18, Bands = 20, Block = 256;

__global__ void before(const unsigned short *__restrict__ Counts,
                       const float *__restrict__ Dark,
                       const float *__restrict__ Gain,
                       const float *__restrict__ Light,
                       float *__restrict__ Reflectance) {
  const int Band = threadIdx.x, Pixel = blockIdx.x * 8 + threadIdx.y;
  if (Band >= Bands)
    return;
  const int I = Pixel * Bands + Band;
  const float Signal = (Counts[I] - Dark[Band]) * Gain[Band];
  Reflectance[I] = fminf(fmaxf(Signal / (1 + Light[Pixel]), 0.0f), 1.0f);
}

__global__ void after(const unsigned short *__restrict__ Counts,
                      const float *__restrict__ Dark,
                      const float *__restrict__ Gain,
                      const float *__restrict__ Light,
                      float *__restrict__ Reflectance) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const int Band = I % Bands, Pixel = I / Bands;
  const float Signal = (Counts[I] - Dark[Band]) * Gain[Band];
  Reflectance[I] = fminf(fmaxf(Signal / (1 + Light[Pixel]), 0.0f), 1.0f);
}

int main() {
  constexpr size_t Count = size_t(Pixels) * Bands;
  const unsigned short *Counts = input<unsigned short>(Count, 4096);
  std::vector<float> HostDark(Bands), HostGain(Bands);
  for (int B = 0; B < Bands; ++B) {
    HostDark[B] = 60.0f + mixed(B) % 20;
    HostGain[B] = (0.8f + 0.02f * B) / 4096;
  }
  const float *Dark = onDevice(HostDark), *Gain = onDevice(HostGain),
              *Light = input<float>(Pixels);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("twenty-bands-flattened");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / 8, dim3(32, 8)>>>(Counts, Dark, Gain, Light, Expected);
    else
      after<<<Count / Block, Block>>>(Counts, Dark, Gain, Light, Out);
}
