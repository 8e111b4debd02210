// Rule: ?
// Geopotential of 60 levels summed up from the ground, a thread for a column:
// each level loaded when it is needed, or a level ahead into registers. There
// are columns enough to hide the latency.
#include "Pair.cuh"

constexpr int Columns = 1 << 17, Levels = 60, N = Columns * Levels;
constexpr float GasConstant = 287.05f;

__device__ float thickness(float Temperature, float Humidity, float Lower,
                           float Upper) {
  const float Virtual =
      (210 + 90 * Temperature) * (1 + 0.608f * 0.02f * Humidity);
  return GasConstant * Virtual * __logf((Lower + 1.2f) / (Upper + 0.1f));
}

__global__ void before(const float *__restrict__ Surface,
                       const float *__restrict__ Temperature,
                       const float *__restrict__ Humidity,
                       const float *__restrict__ Pressure,
                       float *__restrict__ Height) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = Surface[Column], Lower = 1;
  for (int Level = 0; Level < Levels; ++Level) {
    const int Cell = Level * Columns + Column;
    const float Upper = Pressure[Cell];
    Sum += thickness(Temperature[Cell], Humidity[Cell], Lower, Upper);
    Height[Cell] = Sum;
    Lower = Upper;
  }
}

__global__ void after(const float *__restrict__ Surface,
                      const float *__restrict__ Temperature,
                      const float *__restrict__ Humidity,
                      const float *__restrict__ Pressure,
                      float *__restrict__ Height) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = Surface[Column], Lower = 1;
  float Upper = Pressure[Column], Warmth = Temperature[Column],
        Vapour = Humidity[Column];
  for (int Level = 0; Level < Levels; ++Level) {
    const int Cell = Level * Columns + Column;
    float NextUpper = 0, NextWarmth = 0, NextVapour = 0;
    if (Level + 1 < Levels) {
      NextUpper = Pressure[Cell + Columns];
      NextWarmth = Temperature[Cell + Columns];
      NextVapour = Humidity[Cell + Columns];
    }
    Sum += thickness(Warmth, Vapour, Lower, Upper);
    Height[Cell] = Sum;
    Lower = Upper;
    Upper = NextUpper;
    Warmth = NextWarmth;
    Vapour = NextVapour;
  }
}

int main() {
  const float *Surface = input<float>(Columns), *Temperature = input<float>(N),
              *Humidity = input<float>(N + 64) + 64,
              *Pressure = input<float>(N + 192) + 192;
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("hydrostatic-heights-next-level-ahead");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / 128, 128>>>(Surface, Temperature, Humidity, Pressure,
                                     Expected);
    else
      after<<<Columns / 128, 128>>>(Surface, Temperature, Humidity, Pressure,
                                    Out);
}
