// Rule: cuda-memory-scalar-stream
// Open-water evaporation after Penman for each cell of a global grid of a
// quarter of a degree, from five fields. As advised, a thread handles four
// neighbouring cells of a row as float4, in a quarter of the threads.
#include "../Pair.cuh"

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

__device__ void evaporate(float Warmth, float Humidity, float Wind,
                          float Radiation, float Pressure, float &Deficit,
                          float &Evaporation) {
  const float T = 40 * Warmth - 5, Net = 25 * Radiation;
  const float Breeze = 10 * Wind, Hpa = 950 + 80 * Pressure;
  const float Saturated = 6.108f * expf(17.27f * T / (T + 237.3f));
  const float Dry = Saturated * (1 - Humidity);
  const float Steep = 4098 * Saturated / ((T + 237.3f) * (T + 237.3f));
  const float Gamma = 0.000665f * Hpa;
  Deficit = Dry;
  Evaporation =
      (Steep * Net * 0.408f + Gamma * 0.26f * (1 + 0.54f * Breeze) * Dry) /
      (Steep + Gamma);
}

__global__ void after(const float4 *Warmth, const float4 *Humidity,
                      const float4 *Wind, const float4 *Radiation,
                      const float4 *Pressure, float4 *Deficit,
                      float4 *Evaporation) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width / 4 || Y >= Height)
    return;
  const int I = Y * (Width / 4) + X;
  const float4 T = Warmth[I], H = Humidity[I], W = Wind[I], R = Radiation[I],
               P = Pressure[I];
  float4 D, E;
  evaporate(T.x, H.x, W.x, R.x, P.x, D.x, E.x);
  evaporate(T.y, H.y, W.y, R.y, P.y, D.y, E.y);
  evaporate(T.z, H.z, W.z, R.z, P.z, D.z, E.z);
  evaporate(T.w, H.w, W.w, R.w, P.w, D.w, E.w);
  Deficit[I] = D;
  Evaporation[I] = E;
}

int main() {
  constexpr int N = Width * Height;
  const float *Warmth = input<float>(N), *Humidity = input<float>(N),
              *Wind = input<float>(N), *Radiation = input<float>(N),
              *Pressure = input<float>(N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("penman-evaporation-restrict-as-advised");
  P.same(Expected, Out, 2 * N);
  const dim3 Block(64, 4), Grid((Width + 63) / 64, (Height + 3) / 4),
      Quarter((Width / 4 + 63) / 64, (Height + 3) / 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Warmth, Humidity, Wind, Radiation, Pressure,
                              Expected, Expected + N);
    else
      after<<<Quarter, Block>>>(
          (const float4 *)Warmth, (const float4 *)Humidity,
          (const float4 *)Wind, (const float4 *)Radiation,
          (const float4 *)Pressure, (float4 *)Out, (float4 *)(Out + N));
}
