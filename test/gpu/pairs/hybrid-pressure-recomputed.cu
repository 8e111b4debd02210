// Rule: ?
// Virtual potential temperature on the hybrid levels of a weather model: the
// pressure of each cell loaded from a field of its own, or recomputed from
// surface pressure and two numbers of the level.
#include "Pair.cuh"

constexpr int Columns = 512 * 256, Levels = 40, N = Columns * Levels;
constexpr float Reference = 1e5f, Kappa = 0.2857f;

__device__ float virtualPotential(float Temperature, float Humidity,
                                  float Pressure) {
  const float Kelvin = 220 + 80 * Temperature;
  const float Exner = exp2f(Kappa * __log2f(Reference / Pressure));
  return Kelvin * (1 + 0.608f * 0.02f * Humidity) * Exner;
}

__global__ void before(const float *__restrict__ Temperature,
                       const float *__restrict__ Humidity,
                       const float *__restrict__ Pressure,
                       float *__restrict__ Theta) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Cell = blockIdx.y * Columns + Column;
  Theta[Cell] =
      virtualPotential(Temperature[Cell], Humidity[Cell], Pressure[Cell]);
}

__global__ void after(const float *__restrict__ Temperature,
                      const float *__restrict__ Humidity,
                      const float *__restrict__ Surface,
                      const float2 *__restrict__ Hybrid,
                      float *__restrict__ Theta) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Cell = blockIdx.y * Columns + Column;
  const float2 Level = Hybrid[blockIdx.y];
  const float Pressure = Level.x + Level.y * Surface[Column];
  Theta[Cell] = virtualPotential(Temperature[Cell], Humidity[Cell], Pressure);
}

int main() {
  const float *Temperature = input<float>(N), *Humidity = input<float>(N);
  std::vector<float> Ground = onHost(input<float>(Columns), Columns);
  for (float &Value : Ground)
    Value = 92000 + 12000 * Value;
  std::vector<float2> Coefficients(Levels);
  std::vector<float> Everywhere(N);
  for (int Level = 0; Level < Levels; ++Level) {
    const float Sigma = (Level + 1.0f) / Levels;
    Coefficients[Level] = {20000 * Sigma * (1 - Sigma) + 500, Sigma * Sigma};
    for (int Column = 0; Column < Columns; ++Column)
      Everywhere[Level * Columns + Column] =
          Coefficients[Level].x + Coefficients[Level].y * Ground[Column];
  }
  const float *Surface = onDevice(Ground), *Pressure = onDevice(Everywhere);
  const float2 *Hybrid = onDevice(Coefficients);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("hybrid-pressure-recomputed");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Columns / 256, Levels), 256>>>(Temperature, Humidity,
                                                   Pressure, Expected);
    else
      after<<<dim3(Columns / 256, Levels), 256>>>(Temperature, Humidity,
                                                  Surface, Hybrid, Out);
}
