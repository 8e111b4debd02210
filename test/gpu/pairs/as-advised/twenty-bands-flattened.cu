// Rule: cuda-memory-single-result
// Raw counts of a hyperspectral camera, 20 bands a pixel, become reflectances,
// a warp a pixel: a thread has one result, or, as advised, those of eight
// pixels in a row, and keeps its band's dark count and gain in registers.
#include "../Pair.cuh"

constexpr int Pixels = 3 << 18, Bands = 20, Each = 8;

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
  const int Band = threadIdx.x;
  const int Pixel = (blockIdx.x * 8 + threadIdx.y) * Each;
  if (Band >= Bands)
    return;
  const float MyDark = Dark[Band], MyGain = Gain[Band];
  const float4 *Lights = reinterpret_cast<const float4 *>(Light + Pixel);
  const float4 L0 = Lights[0], L1 = Lights[1];
  const float L[Each] = {L0.x, L0.y, L0.z, L0.w, L1.x, L1.y, L1.z, L1.w};
  const int I = Pixel * Bands + Band;
  unsigned short Mine[Each];
#pragma unroll
  for (int E = 0; E < Each; ++E)
    Mine[E] = Counts[I + E * Bands];
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    const float Signal = (Mine[E] - MyDark) * MyGain;
    Reflectance[I + E * Bands] = fminf(fmaxf(Signal / (1 + L[E]), 0.0f), 1.0f);
  }
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
  Pair P("twenty-bands-flattened-as-advised");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / 8, dim3(32, 8)>>>(Counts, Dark, Gain, Light, Expected);
    else
      after<<<Pixels / 8 / Each, dim3(32, 8)>>>(Counts, Dark, Gain, Light, Out);
}
