// Rule: ?
// Implied volatility of calls by seven steps of Newton. Prices come and
// volatilities go as floats, but plain literals and functions make all between
// them double; with float literals and functions it stays single.
#include "Pair.cuh"

constexpr int N = 1 << 19;

__global__ void before(const float *__restrict__ Strike,
                       const float *__restrict__ Years,
                       const float *__restrict__ Price, float *Volatility) {
  const int I = blockIdx.x * 192 + threadIdx.x;
  if (I >= N)
    return;
  const double K = 0.9 + 0.2 * Strike[I], Root = sqrt(0.5 + Years[I]);
  const double Target = Price[I];
  double Sigma = 0.4;
  for (int Step = 0; Step < 7; ++Step) {
    const double Spread = Sigma * Root;
    const double Upper = -log(K) / Spread + 0.5 * Spread;
    const double Lower = Upper - Spread;
    const double Value = 0.5 * erfc(-Upper * 0.70710678118) -
                         K * 0.5 * erfc(-Lower * 0.70710678118);
    const double Vega = Root * 0.39894228040 * exp(-0.5 * Upper * Upper);
    Sigma = fmin(fmax(Sigma - (Value - Target) / Vega, 0.05), 2.0);
  }
  Volatility[I] = Sigma;
}

__global__ void after(const float *__restrict__ Strike,
                      const float *__restrict__ Years,
                      const float *__restrict__ Price, float *Volatility) {
  const int I = blockIdx.x * 192 + threadIdx.x;
  if (I >= N)
    return;
  const float K = 0.9f + 0.2f * Strike[I], Root = sqrtf(0.5f + Years[I]);
  const float Target = Price[I];
  float Sigma = 0.4f;
  for (int Step = 0; Step < 7; ++Step) {
    const float Spread = Sigma * Root;
    const float Upper = -logf(K) / Spread + 0.5f * Spread;
    const float Lower = Upper - Spread;
    const float Value = 0.5f * erfcf(-Upper * 0.70710678f) -
                        K * 0.5f * erfcf(-Lower * 0.70710678f);
    const float Vega = Root * 0.39894228f * expf(-0.5f * Upper * Upper);
    Sigma = fminf(fmaxf(Sigma - (Value - Target) / Vega, 0.05f), 2.0f);
  }
  Volatility[I] = Sigma;
}

int main() {
  const float *Both = input<float>(2 * N);
  const std::vector<float> Random = onHost(Both, 2 * N);
  std::vector<float> Prices(N);
  for (int I = 0; I < N; ++I) {
    const double K = 0.9 + 0.2 * Random[I];
    const double Spread =
        (0.2 + 0.4 * (mixed(I + 7777777) % 1000) / 1000) *
        std::sqrt(0.5 + Random[N + I]);
    const double Upper = -std::log(K) / Spread + 0.5 * Spread;
    Prices[I] = 0.5 * std::erfc(-Upper * 0.70710678118) -
                K * 0.5 * std::erfc(-(Upper - Spread) * 0.70710678118);
  }
  const float *Price = onDevice(Prices);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("implied-volatility-in-float");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 191) / 192, 192>>>(Both, Both + N, Price, Expected);
    else
      after<<<(N + 191) / 192, 192>>>(Both, Both + N, Price, Out);
}
