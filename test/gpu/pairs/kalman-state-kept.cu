// Rule: cuda-memory-redundant-round-trip
// Tracks of a radar, one a thread, are filtered through 64 measurements: the
// state, five numbers, is updated in memory with each, or at the end.
#include "Pair.cuh"

constexpr int Tracks = 1 << 16, Steps = 64;

struct State {
  float Place, Speed, P00, P01, P11;

  __device__ void update(float Measured) {
    Place += 0.1f * Speed;
    P00 += 0.2f * P01 + 0.01f * P11 + 0.001f;
    P01 += 0.1f * P11;
    P11 += 0.01f;
    const float Scale = 1 / (P00 + 0.5f), Off = Measured - Place;
    const float GainA = P00 * Scale, GainB = P01 * Scale;
    Place += GainA * Off;
    Speed += GainB * Off;
    P11 -= GainB * P01;
    P01 -= GainA * P01;
    P00 -= GainA * P00;
  }
};

__device__ State load(const float *From, int I) {
  return {From[I], From[Tracks + I], From[2 * Tracks + I], From[3 * Tracks + I],
          From[4 * Tracks + I]};
}

__device__ void store(float *To, int I, const State &S) {
  To[I] = S.Place, To[Tracks + I] = S.Speed, To[2 * Tracks + I] = S.P00;
  To[3 * Tracks + I] = S.P01, To[4 * Tracks + I] = S.P11;
}

__global__ void before(const float *Measured, float *States) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  store(States, I, {0, 0, 1, 0, 1});
  for (int S = 0; S < Steps; ++S) {
    State Mine = load(States, I);
    Mine.update(Measured[S * Tracks + I]);
    store(States, I, Mine);
  }
}

__global__ void after(const float *Measured, float *States) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  State Mine = {0, 0, 1, 0, 1};
  for (int S = 0; S < Steps; ++S)
    Mine.update(Measured[S * Tracks + I]);
  store(States, I, Mine);
}

int main() {
  const float *Measured = input<float>(Tracks * Steps);
  float *Expected = output<float>(5 * Tracks), *Out = output<float>(5 * Tracks);
  Pair P("kalman-state-kept");
  P.same(Expected, Out, 5 * Tracks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tracks / 128, 128>>>(Measured, Expected);
    else
      after<<<Tracks / 128, 128>>>(Measured, Out);
}
