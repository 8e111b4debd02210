// Rule: cuda-memory-single-result
// Velocity autocorrelation of the particles of a liquid for eight lags, a
// thread for each particle: a run through the trajectory for each lag, or the
// lags as the inner loop over a window that is kept in registers.
#include "Pair.cuh"

constexpr int Particles = 49152, Steps = 96, Lags = 8, Origins = Steps - Lags;

struct Velocity {
  float X, Y, Z;
};

__device__ Velocity loaded(const float *Path, int Step, int I) {
  const float *Frame = Path + Step * 3 * Particles + I;
  return {Frame[0], Frame[Particles], Frame[2 * Particles]};
}

__device__ float dot(Velocity A, Velocity B) {
  return A.X * B.X + A.Y * B.Y + A.Z * B.Z;
}

__global__ void before(const float *__restrict__ Path,
                       float *__restrict__ Correlation) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int Lag = 0; Lag < Lags; ++Lag) {
    float Sum = 0;
    for (int T = 0; T < Origins; ++T)
      Sum += dot(loaded(Path, T, I), loaded(Path, T + Lag, I));
    Correlation[Lag * Particles + I] = Sum / Origins;
  }
}

__global__ void after(const float *__restrict__ Path,
                      float *__restrict__ Correlation) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Velocity Window[Lags];
  float Sum[Lags] = {};
#pragma unroll
  for (int Lag = 1; Lag < Lags; ++Lag)
    Window[Lag] = loaded(Path, Lag - 1, I);
#pragma unroll 8
  for (int T = 0; T < Origins; ++T) {
#pragma unroll
    for (int Lag = 1; Lag < Lags; ++Lag)
      Window[Lag - 1] = Window[Lag];
    Window[Lags - 1] = loaded(Path, T + Lags - 1, I);
#pragma unroll
    for (int Lag = 0; Lag < Lags; ++Lag)
      Sum[Lag] += dot(Window[0], Window[Lag]);
  }
#pragma unroll
  for (int Lag = 0; Lag < Lags; ++Lag)
    Correlation[Lag * Particles + I] = Sum[Lag] / Origins;
}

int main() {
  const float *Path = input<float>(Steps * 3 * Particles);
  float *Expected = output<float>(Lags * Particles),
        *Out = output<float>(Lags * Particles);
  Pair P("velocity-correlation-lags-inner");
  P.same(Expected, Out, Lags * Particles);
  while (P.next())
    if (P.beforesTurn())
      before<<<Particles / 96, 96>>>(Path, Expected);
    else
      after<<<Particles / 96, 96>>>(Path, Out);
}
