// Rule: cuda-memory-narrow-access
// Stokes parameters of a radio telescope's voltages, two polarisations of
// complex bytes, averaged over 32 samples: the four bytes of a sample are
// loaded one by one or as a word.
#include "Pair.cuh"

constexpr int Channels = 4096, Times = 4096, Averaged = 32;
constexpr int Spectra = Times / Averaged;

struct Powers {
  int Xx = 0, Yy = 0, Re = 0, Im = 0;
};

__device__ void detect(Powers &Sum, int Xr, int Xi, int Yr, int Yi) {
  Sum.Xx += Xr * Xr + Xi * Xi;
  Sum.Yy += Yr * Yr + Yi * Yi;
  Sum.Re += Xr * Yr + Xi * Yi;
  Sum.Im += Xi * Yr - Xr * Yi;
}

__device__ float4 stokes(const Powers &Sum, float Gain) {
  return {Gain * (Sum.Xx + Sum.Yy), Gain * (Sum.Xx - Sum.Yy),
          Gain * (2 * Sum.Re), Gain * (2 * Sum.Im)};
}

__global__ void before(const int8_t *__restrict__ Voltage,
                       const float *__restrict__ Gain,
                       float4 *__restrict__ Out) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int8_t *Sample =
      Voltage + 4 * (blockIdx.y * Averaged * Channels + Channel);
  Powers Sum;
  for (int T = 0; T < Averaged; ++T, Sample += 4 * Channels)
    detect(Sum, Sample[0], Sample[1], Sample[2], Sample[3]);
  Out[blockIdx.y * Channels + Channel] = stokes(Sum, Gain[Channel] / 8192);
}

__global__ void after(const char4 *__restrict__ Voltage,
                      const float *__restrict__ Gain,
                      float4 *__restrict__ Out) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const char4 *Sample = Voltage + blockIdx.y * Averaged * Channels + Channel;
  Powers Sum;
  for (int T = 0; T < Averaged; ++T, Sample += Channels) {
    const char4 V = *Sample;
    detect(Sum, V.x, V.y, V.z, V.w);
  }
  Out[blockIdx.y * Channels + Channel] = stokes(Sum, Gain[Channel] / 8192);
}

int main() {
  const int8_t *Voltage = input<int8_t>(size_t(4) * Times * Channels, 256);
  const float *Gain = input<float>(Channels);
  float *Expected = output<float>(4 * Spectra * Channels),
        *Out = output<float>(4 * Spectra * Channels);
  Pair P("stokes-from-voltages-char4");
  P.same(Expected, Out, 4 * Spectra * Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Channels / 128, Spectra), 128>>>(Voltage, Gain,
                                                     (float4 *)Expected);
    else
      after<<<dim3(Channels / 128, Spectra), 128>>>((const char4 *)Voltage,
                                                    Gain, (float4 *)Out);
}
