// Rule: cuda-memory-missing-reuse
// Payoffs of a lookback call by Monte Carlo under local volatility: each step
// of each path interpolates a surface of 48 by 64 volatilities, read from
// global memory or from a copy in shared memory.
#include "Pair.cuh"

constexpr int Times = 48, Strikes = 64, Surface = Times * Strikes;
constexpr int Paths = 1 << 18, Threads = 256, Steps = 96;

/// A nearly normal number, from a small generator.
__device__ inline float normal(uint32_t &State) {
  State = State * 1664525u + 1013904223u;
  uint32_t H = State ^ State >> 16;
  H *= 0x7feb352du;
  H ^= H >> 15;
  const float U = ((H & 0xffff) + 0.5f) / 65536;
  return __fsqrt_rn(-2 * __logf(U)) * __cosf(6.2831853f * (H >> 16) / 65536);
}

__device__ inline float volatility(const float *V, int T, float LogSpot) {
  const float At = fminf(fmaxf((LogSpot + 2) * 16, 0.0f), Strikes - 1.01f);
  const int K = int(At);
  const float W = At - K;
  const float *Row = V + T * Strikes + K;
  return 0.1f + 0.3f * ((1 - W) * Row[0] + W * Row[1]);
}

__device__ inline float payoff(const float *V, uint32_t Seed, float Strike) {
  constexpr float Dt = 1.0f / Steps;
  float X = 0;
  float Highest = 0;
  for (int S = 0; S < Steps; ++S) {
    const float Sigma = volatility(V, S * Times / Steps, X);
    X +=
        (0.02f - 0.5f * Sigma * Sigma) * Dt + Sigma * 0.1020621f * normal(Seed);
    Highest = fmaxf(Highest, X);
  }
  return fmaxf(__expf(Highest) - Strike, 0.0f);
}

__global__ void before(const float *__restrict__ Vol, float *Payoffs,
                       float Strike) {
  const int Path = blockIdx.x * Threads + threadIdx.x;
  if (Path < Paths)
    Payoffs[Path] = payoff(Vol, mixed(Path), Strike);
}

__global__ void after(const float *__restrict__ Vol, float *Payoffs,
                      float Strike) {
  __shared__ float Copy[Surface];
  for (int I = threadIdx.x; I < Surface; I += Threads)
    Copy[I] = Vol[I];
  __syncthreads();
  const int Path = blockIdx.x * Threads + threadIdx.x;
  if (Path < Paths)
    Payoffs[Path] = payoff(Copy, mixed(Path), Strike);
}

int main() {
  const float *Vol = input<float>(Surface);
  float *Expected = output<float>(Paths), *Out = output<float>(Paths);
  Pair P("local-volatility-surface-in-shared");
  P.same(Expected, Out, Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / Threads, Threads>>>(Vol, Expected, 1.05f);
    else
      after<<<Paths / Threads, Threads>>>(Vol, Out, 1.05f);
}
