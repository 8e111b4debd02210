// Rule: cuda-memory-local-array
// Monte Carlo in the LIBOR market model: a thread carries the 40 forward rates
// of a path through 40 quarters, then values a portfolio of swaptions on them.
// The rates are a private array walked by loops, or columns in shared memory.
#include "Pair.cuh"

constexpr int Paths = 1 << 17, Rates = 40, Block = 128, Swaptions = 6;
constexpr float Quarter = 0.25f;

__constant__ float Volatility[Rates];

/// A path's rate number I.
struct Private {
  float *Rate;
  __device__ float &operator[](int I) const { return Rate[I]; }
};

struct Column {
  float *Rate;
  __device__ float &operator[](int I) const { return Rate[I * Block]; }
};

template <class Curve>
__device__ void evolve(Curve L, const float *__restrict__ Shocks, int Path) {
#pragma unroll 1
  for (int N = 0; N < Rates; ++N) {
    const float Shock = sqrtf(Quarter) * (2 * Shocks[N * Paths + Path] - 1);
    float Drift = 0;
#pragma unroll 1
    for (int I = N + 1; I < Rates; ++I) {
      const float Sigma = Volatility[I - N - 1], Scaled = Quarter * Sigma;
      const float Rate = L[I];
      Drift += __fdividef(Scaled * Rate, 1 + Quarter * Rate);
      L[I] = Rate * __expf(Sigma * Drift + Sigma * (Shock - 0.5f * Scaled));
    }
  }
}

template <class Curve> __device__ float portfolio(Curve L) {
  float Bond = 1, Annuity = 0, Value = 0;
#pragma unroll 1
  for (int S = 0, N = 0; S < Swaptions; ++S) {
    for (const int End = (S + 1) * 6; N < End; ++N) {
      Bond = __fdividef(Bond, 1 + Quarter * L[N]);
      Annuity += Quarter * Bond;
    }
    Value += fmaxf(0, 1 - Bond - (0.04f + 0.002f * S) * Annuity);
  }
  return 100 * Value;
}

__global__ void before(const float *__restrict__ Start,
                       const float *__restrict__ Shocks,
                       float *__restrict__ Values) {
  const int Path = blockIdx.x * Block + threadIdx.x;
  float Rate[Rates];
#pragma unroll 1
  for (int I = 0; I < Rates; ++I)
    Rate[I] = Start[I];
  const Private L = {Rate};
  evolve(L, Shocks, Path);
  Values[Path] = portfolio(L);
}

__global__ void after(const float *__restrict__ Start,
                      const float *__restrict__ Shocks,
                      float *__restrict__ Values) {
  __shared__ float Rate[Rates * Block];
  const int Path = blockIdx.x * Block + threadIdx.x;
  const Column L = {Rate + threadIdx.x};
#pragma unroll 1
  for (int I = 0; I < Rates; ++I)
    L[I] = Start[I];
  evolve(L, Shocks, Path);
  Values[Path] = portfolio(L);
}

int main() {
  std::vector<float> Start(Rates), Sigma(Rates);
  for (int I = 0; I < Rates; ++I) {
    Start[I] = 0.045f + 0.0005f * I;
    Sigma[I] = 0.2f + 0.1f * std::exp(-0.1f * I);
  }
  must(cudaMemcpyToSymbol(Volatility, Sigma.data(), Rates * sizeof(float)));
  const float *There = onDevice(Start);
  const float *Shocks = input<float>(size_t(Rates) * Paths);
  float *Expected = output<float>(Paths), *Out = output<float>(Paths);
  Pair P("forward-rates-in-shared");
  P.same(Expected, Out, Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / Block, Block>>>(There, Shocks, Expected);
    else
      after<<<Paths / Block, Block>>>(There, Shocks, Out);
}
