// Rule: cuda-memory-missing-restrict
// Open-water evaporation after Penman for each cell of a global grid of a
// quarter of a degree, from five fields, without and with __restrict__.
#include "Pair.cuh"

constexpr int Width = 1440, Height = 721;

__global__ void before(const float *Warmth, const float *Humidity,
                       const float *Wind, const float *Radiation,
                       const float *Pressure, float *Deficit,
                       float *Evaporation) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const int I = Y * Width + X;
  const float T = 40 * Warmth[I] - 5, Net = 25 * Radiation[I];
  const float Breeze = 10 * Wind[I], Hpa = 950 + 80 * Pressure[I];
  const float Saturated = 6.108f * expf(17.27f * T / (T + 237.3f));
  const float Dry = Saturated * (1 - Humidity[I]);
  const float Steep = 4098 * Saturated / ((T + 237.3f) * (T + 237.3f));
  const float Gamma = 0.000665f * Hpa;
  Deficit[I] = Dry;
  Evaporation[I] = (Steep * Net * 0.408f +
                    Gamma * 0.26f * (1 + 0.54f * Breeze) * Dry) /
                   (Steep + Gamma);
}

__global__ void after(const float *__restrict__ Warmth,
                      const float *__restrict__ Humidity,
                      const float *__restrict__ Wind,
                      const float *__restrict__ Radiation,
                      const float *__restrict__ Pressure,
                      float *__restrict__ Deficit,
                      float *__restrict__ Evaporation) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const int I = Y * Width + X;
  const float T = 40 * Warmth[I] - 5, Net = 25 * Radiation[I];
  const float Breeze = 10 * Wind[I], Hpa = 950 + 80 * Pressure[I];
  const float Saturated = 6.108f * expf(17.27f * T / (T + 237.3f));
  const float Dry = Saturated * (1 - Humidity[I]);
  const float Steep = 4098 * Saturated / ((T + 237.3f) * (T + 237.3f));
  const float Gamma = 0.000665f * Hpa;
  Deficit[I] = Dry;
  Evaporation[I] = (Steep * Net * 0.408f +
                    Gamma * 0.26f * (1 + 0.54f * Breeze) * Dry) /
                   (Steep + Gamma);
}

int main() {
  constexpr int N = Width * Height;
  const float *Warmth = input<float>(N), *Humidity = input<float>(N),
              *Wind = input<float>(N), *Radiation = input<float>(N),
              *Pressure = input<float>(N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("penman-evaporation-restrict");
  P.same(Expected, Out, 2 * N);
  const dim3 Block(64, 4), Grid((Width + 63) / 64, (Height + 3) / 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Warmth, Humidity, Wind, Radiation, Pressure,
                              Expected, Expected + N);
    else
      after<<<Grid, Block>>>(Warmth, Humidity, Wind, Radiation, Pressure, Out,
                             Out + N);
}
