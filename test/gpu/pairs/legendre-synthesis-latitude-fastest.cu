// Rule: cuda-memory-uncoalesced-access
// Legendre synthesis of a spectral climate model, a thread for each latitude:
// the associated functions stored with the degree or with the latitude as the
// index that runs fastest.
#include "Pair.cuh"

constexpr int Waves = 192, Latitudes = 128, Levels = 8;
constexpr int Count = Waves * Waves * Latitudes;

__global__ void before(const float2 *__restrict__ Spectral,
                       const float *__restrict__ Legendre,
                       float2 *__restrict__ Fourier) {
  const int J = threadIdx.x, M = blockIdx.x, Level = blockIdx.y;
  const float2 *Row = Spectral + (Level * Waves + M) * Waves;
  const float *P = Legendre + (M * Latitudes + J) * Waves;
  float Real = 0, Imaginary = 0;
  for (int Degree = M; Degree < Waves; ++Degree) {
    const float2 A = Row[Degree];
    const float Value = P[Degree];
    Real += A.x * Value;
    Imaginary += A.y * Value;
  }
  Fourier[(Level * Waves + M) * Latitudes + J] = make_float2(Real, Imaginary);
}

__global__ void after(const float2 *__restrict__ Spectral,
                      const float *__restrict__ Legendre,
                      float2 *__restrict__ Fourier) {
  const int J = threadIdx.x, M = blockIdx.x, Level = blockIdx.y;
  const float2 *Row = Spectral + (Level * Waves + M) * Waves;
  const float *P = Legendre + M * Waves * Latitudes + J;
  float Real = 0, Imaginary = 0;
  for (int Degree = M; Degree < Waves; ++Degree) {
    const float2 A = Row[Degree];
    const float Value = P[Degree * Latitudes];
    Real += A.x * Value;
    Imaginary += A.y * Value;
  }
  Fourier[(Level * Waves + M) * Latitudes + J] = make_float2(Real, Imaginary);
}

int main() {
  constexpr int Results = Levels * Waves * Latitudes;
  const float *Numbers = input<float>(2 * Levels * Waves * Waves),
              *ByDegree = input<float>(Count),
              *ByLatitude = arranged(ByDegree, Count, Count, [](size_t I) {
                const size_t J = I % Latitudes, Degree = I / Latitudes % Waves,
                             M = I / Latitudes / Waves;
                return (M * Latitudes + J) * Waves + Degree;
              });
  const auto *Spectral = (const float2 *)Numbers;
  float *Expected = output<float>(2 * Results),
        *Out = output<float>(2 * Results);
  Pair P("legendre-synthesis-latitude-fastest");
  P.same(Expected, Out, 2 * Results);
  const dim3 Grid(Waves, Levels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Latitudes>>>(Spectral, ByDegree, (float2 *)Expected);
    else
      after<<<Grid, Latitudes>>>(Spectral, ByLatitude, (float2 *)Out);
}
