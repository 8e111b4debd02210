// Rule: cuda-memory-register-spill
// Paths of a basket of six shares with stochastic variance (Heston), all state
// in registers. Bounds of eight blocks a multiprocessor raise the occupancy, as
// optimisation guides advise when registers limit it, and cost spills.
#include "Pair.cuh"

constexpr int Paths = 1 << 18, Shares = 6, Steps = 24, Block = 256;

struct Random {
  unsigned State;
  __device__ float next() {
    State = State * 1664525u + 1013904223u;
    return ((State >> 8) + 0.5f) * (1.0f / 16777216);
  }
};

__device__ void simulate(const float *__restrict__ Start,
                         const unsigned *__restrict__ Seeds,
                         float *__restrict__ Payoff,
                         float *__restrict__ Highest, float Pull, float Mean,
                         float Wild, float Strike) {
  const int I = blockIdx.x * Block + threadIdx.x;
  Random Rng{Seeds[I]};
  float Log[Shares], Variance[Shares], Extreme[Shares];
#pragma unroll
  for (int S = 0; S < Shares; ++S) {
    Extreme[S] = Log[S] = Start[S];
    Variance[S] = Mean;
  }
  const float Dt = 1.0f / Steps;
  for (int T = 0; T < Steps; ++T) {
#pragma unroll
    for (int S = 0; S < Shares; ++S) {
      const float Radius = sqrtf(-2 * __logf(Rng.next()));
      float Sine, Cosine;
      __sincosf(6.2831853f * Rng.next(), &Sine, &Cosine);
      const float A = Radius * Cosine, B = -0.7f * A + 0.714f * Radius * Sine;
      const float V = fmaxf(Variance[S], 0.0f), Root = sqrtf(V * Dt);
      Log[S] += -0.5f * V * Dt + Root * A;
      Variance[S] += Pull * (Mean - V) * Dt + Wild * Root * B;
      Extreme[S] = fmaxf(Extreme[S], Log[S]);
    }
  }
  float Sum = 0, Top = 0;
#pragma unroll
  for (int S = 0; S < Shares; ++S) {
    Sum += __expf(Log[S]);
    Top += __expf(Extreme[S]);
  }
  Payoff[I] = fmaxf(Sum / Shares - Strike, 0.0f);
  Highest[I] = Top / Shares;
}

__global__ void before(const float *__restrict__ Start,
                       const unsigned *__restrict__ Seeds,
                       float *__restrict__ Payoff, float *__restrict__ Highest,
                       float Pull, float Mean, float Wild, float Strike) {
  simulate(Start, Seeds, Payoff, Highest, Pull, Mean, Wild, Strike);
}

__global__ __launch_bounds__(Block, 8) void after(
    const float *__restrict__ Start, const unsigned *__restrict__ Seeds,
    float *__restrict__ Payoff, float *__restrict__ Highest, float Pull,
    float Mean, float Wild, float Strike) {
  simulate(Start, Seeds, Payoff, Highest, Pull, Mean, Wild, Strike);
}

int main() {
  const float *Start = input<float>(Shares);
  const unsigned *Seeds = input<unsigned>(Paths, ~0u);
  float *Expected = output<float>(2 * Paths), *Out = output<float>(2 * Paths);
  Pair P("heston-basket-launch-bounds");
  P.same(Expected, Out, 2 * Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / Block, Block>>>(Start, Seeds, Expected, Expected + Paths,
                                       2.0f, 0.04f, 0.3f, 1.5f);
    else
      after<<<Paths / Block, Block>>>(Start, Seeds, Out, Out + Paths, 2.0f,
                                      0.04f, 0.3f, 1.5f);
}
