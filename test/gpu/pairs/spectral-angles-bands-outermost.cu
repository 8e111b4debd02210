// Rule: cuda-memory-single-result
// Class of each pixel of a hyperspectral scene: that of eight reference spectra
// at the smallest angle. The loop over bands goes outside that over spectra, so
// that a band of a pixel is read once, not eight times.
#include "Pair.cuh"

constexpr int Pixels = 1 << 19, Bands = 64, Spectra = 8;

__constant__ float Reference[Spectra][Bands];

__global__ void before(const float *__restrict__ Scene, int BandCount,
                       unsigned char *__restrict__ Class) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Best = -1;
  int Nearest = 0;
  for (int S = 0; S < Spectra; ++S) {
    float Dot = 0;
    for (int B = 0; B < BandCount; ++B)
      Dot += Reference[S][B] * Scene[B * Pixels + I];
    if (Dot > Best) {
      Best = Dot;
      Nearest = S;
    }
  }
  Class[I] = Nearest;
}

__global__ void after(const float *__restrict__ Scene, int BandCount,
                      unsigned char *__restrict__ Class) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Dot[Spectra] = {};
  for (int B = 0; B < BandCount; ++B) {
    const float Radiance = Scene[B * Pixels + I];
#pragma unroll
    for (int S = 0; S < Spectra; ++S)
      Dot[S] += Reference[S][B] * Radiance;
  }
  float Best = -1;
  int Nearest = 0;
#pragma unroll
  for (int S = 0; S < Spectra; ++S)
    if (Dot[S] > Best) {
      Best = Dot[S];
      Nearest = S;
    }
  Class[I] = Nearest;
}

int main() {
  const float *Scene = input<float>(size_t(Pixels) * Bands);
  // Reference spectra of length one.
  std::vector<float> Unit(Spectra * Bands);
  for (int S = 0; S < Spectra; ++S) {
    double Norm = 0;
    for (int B = 0; B < Bands; ++B) {
      Unit[S * Bands + B] = 0.2f + (mixed(S * Bands + B) % 1000) / 1000.f;
      Norm += Unit[S * Bands + B] * Unit[S * Bands + B];
    }
    for (int B = 0; B < Bands; ++B)
      Unit[S * Bands + B] /= float(std::sqrt(Norm));
  }
  must(cudaMemcpyToSymbol(Reference, Unit.data(), sizeof(Reference)));
  unsigned char *Expected = output<unsigned char>(Pixels),
                *Out = output<unsigned char>(Pixels);
  Pair P("spectral-angles-bands-outermost");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / 256, 256>>>(Scene, Bands, Expected);
    else
      after<<<Pixels / 256, 256>>>(Scene, Bands, Out);
}
