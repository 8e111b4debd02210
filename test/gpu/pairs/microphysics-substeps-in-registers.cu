// Rule: cuda-memory-redundant-round-trip
// Warm-rain microphysics of an atmosphere model in four substeps: condensation,
// conversion to rain, evaporation of rain. The processes hand on a cell's
// temperature and waters through their arrays or in registers.
#include "Pair.cuh"

constexpr int N = 1 << 20, Substeps = 4;
constexpr float Dt = 5, Heat = 2.5f; // K per g/kg

struct Fields {
  float *Temperature, *Vapour, *Cloud, *Rain; // K and g/kg
};

struct Cell {
  float &Temperature, &Vapour, &Cloud, &Rain;
};

__device__ float saturation(float Temperature, float Pressure) {
  return 380e3f / Pressure *
         __expf(17.27f * (Temperature - 273.16f) / (Temperature - 35.86f));
}

__device__ void condense(Cell C, float Pressure) {
  const float T = C.Temperature, Q = saturation(T, Pressure);
  const float Slope = 4098.f * Q / ((T - 35.86f) * (T - 35.86f));
  const float Excess = (C.Vapour - Q) / (1 + Heat * Slope);
  const float Change = fmaxf(Excess, -C.Cloud);
  C.Vapour -= Change;
  C.Cloud += Change;
  C.Temperature += Heat * Change;
}

__device__ void collect(Cell C) {
  const float Cloud = C.Cloud;
  const float Converted = 1e-3f * Dt * fmaxf(Cloud - 0.5f, 0.f);
  const float Swept = 2.2e-3f * Dt * Cloud * __powf(C.Rain + 1e-6f, 0.875f);
  const float Change = fminf(Converted + Swept, Cloud);
  C.Cloud -= Change;
  C.Rain += Change;
}

__device__ void evaporate(Cell C, float Pressure) {
  const float Rain = C.Rain;
  const float Deficit =
      fmaxf(saturation(C.Temperature, Pressure) - C.Vapour, 0.f);
  const float Change =
      fminf(2e-3f * Dt * Deficit * sqrtf(Rain), fminf(Rain, 0.3f * Deficit));
  C.Rain -= Change;
  C.Vapour += Change;
  C.Temperature -= Heat * Change;
}

__global__ void before(const float *__restrict__ Pressures, Fields F) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Pressure = Pressures[I];
  const Cell C = {F.Temperature[I], F.Vapour[I], F.Cloud[I], F.Rain[I]};
  for (int Step = 0; Step < Substeps; ++Step) {
    condense(C, Pressure);
    collect(C);
    evaporate(C, Pressure);
  }
}

__global__ void after(const float *__restrict__ Pressures, Fields F) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Pressure = Pressures[I];
  float Temperature = F.Temperature[I], Vapour = F.Vapour[I],
        Cloud = F.Cloud[I], Rain = F.Rain[I];
  const Cell C = {Temperature, Vapour, Cloud, Rain};
  for (int Step = 0; Step < Substeps; ++Step) {
    condense(C, Pressure);
    collect(C);
    evaporate(C, Pressure);
  }
  F.Temperature[I] = Temperature;
  F.Vapour[I] = Vapour;
  F.Cloud[I] = Cloud;
  F.Rain[I] = Rain;
}

int main() {
  std::vector<float> Start(4 * N), Pressure(N);
  for (int I = 0; I < N; ++I) {
    Start[I] = 270 + mixed(I) * (25 / 4294967296.f);
    Start[N + I] = mixed(N + I) * (15 / 4294967296.f);
    Start[2 * N + I] = mixed(2 * N + I) * (2 / 4294967296.f);
    Start[3 * N + I] = mixed(3 * N + I) * (1 / 4294967296.f);
    Pressure[I] = 60e3f + mixed(4 * N + I) * (40e3f / 4294967296.f);
  }
  const float *Pressures = onDevice(Pressure);
  float *Expected = onDevice(Start), *Out = onDevice(Start);
  Pair P("microphysics-substeps-in-registers");
  P.same(Expected, Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Pressures, {Expected, Expected + N,
                                           Expected + 2 * N, Expected + 3 * N});
    else
      after<<<N / 256, 256>>>(Pressures,
                              {Out, Out + N, Out + 2 * N, Out + 3 * N});
}
