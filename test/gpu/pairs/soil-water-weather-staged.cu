// Rule: ?
// The water in the soil beneath a crop over 150 days, for a quarter of a
// million cells of a field: rain, evaporation from the bare surface and from
// the leaves, stress and drainage. All the cells of a block have the weather of
// one station, which they read day by day, or copy to shared memory first.
#include "Pair.cuh"

constexpr int Side = 512, Cells = Side * Side, Days = 150;
constexpr int Area = 64, Stations = Side / Area * (Side / Area);

struct Soil {
  float Capacity, Share, Growth, Root, Surface, Stress;
};

__device__ Soil soil(const float *Map, int I) {
  return {90 + 120 * Map[I],
          0.4f + 0.3f * Map[Cells + I],
          0.02f + 0.03f * Map[2 * Cells + I],
          30.0f,
          8.0f,
          0.0f};
}

// Two stores of water, in millimetres that they lack, after a day.
__device__ void pass(Soil &S, float Rain, float Potential, int Day) {
  const float Grown = 1 / (1 + __expf(4 - S.Growth * 2 * Day));
  const float Leaves = 1.1f * Grown, Bare = 1 - 0.9f * Grown;
  // The surface dries more slowly the more it lacks.
  const float Dryness = fminf(fmaxf((20 - S.Surface) * 0.08f, 0), 1);
  const float Evaporated = Potential * Bare * Dryness;
  S.Surface = fminf(fmaxf(S.Surface - Rain + Evaporated, 0), 20);
  const float Share = S.Share + 0.04f * (5 - Potential * Leaves);
  const float Ready = fminf(fmaxf(Share, 0.1f), 0.8f) * S.Capacity;
  const float Left = S.Capacity - S.Root;
  const float Open =
      fminf(__fdividef(Left, S.Capacity - Ready + 1e-3f), 1);
  const float Wanted = Potential * Leaves, Drunk = Wanted * Open;
  const float Runoff = fmaxf(Rain - 30, 0) * 0.4f;
  S.Root = S.Root - (Rain - Runoff) + Drunk + 0.3f * Evaporated;
  // What is more than the soil holds drains.
  S.Root = fminf(fmaxf(S.Root, 0), S.Capacity);
  S.Stress += Wanted - Drunk;
}

__device__ int station() {
  return blockIdx.y * 8 / Area * (Side / Area) + blockIdx.x * 32 / Area;
}

__global__ void before(const float *__restrict__ Map,
                       const float *__restrict__ Rain,
                       const float *__restrict__ Potential,
                       float *__restrict__ Stress) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int I = Y * Side + X, At = station();
  Soil S = soil(Map, I);
  for (int D = 0; D < Days; ++D) {
    const float Drops = Rain[D * Stations + At];
    pass(S, 60 * fmaxf(Drops - 0.8f, 0), 7 * Potential[D * Stations + At], D);
  }
  Stress[I] = S.Stress;
}

__global__ void after(const float *__restrict__ Map,
                      const float *__restrict__ Rain,
                      const float *__restrict__ Potential,
                      float *__restrict__ Stress) {
  __shared__ float NearRain[Days], NearPotential[Days];
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int I = Y * Side + X, At = station();
  for (int D = threadIdx.y * 32 + threadIdx.x; D < Days; D += 256) {
    NearRain[D] = Rain[D * Stations + At];
    NearPotential[D] = Potential[D * Stations + At];
  }
  __syncthreads();
  Soil S = soil(Map, I);
  for (int D = 0; D < Days; ++D)
    pass(S, 60 * fmaxf(NearRain[D] - 0.8f, 0), 7 * NearPotential[D], D);
  Stress[I] = S.Stress;
}

int main() {
  const float *Map = input<float>(3 * Cells);
  const float *Weather = input<float>(2 * Days * Stations);
  float *Expected = output<float>(Cells), *Out = output<float>(Cells);
  Pair P("soil-water-weather-staged");
  P.same(Expected, Out, Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(
          Map, Weather, Weather + Days * Stations, Expected);
    else
      after<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(
          Map, Weather, Weather + Days * Stations, Out);
}
