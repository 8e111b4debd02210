// Rule: cuda-memory-small-block
// Prices of options by Black and Scholes in blocks of 64 or 256: 32 of the
// small ones fill an SM as well, but it gets them no faster.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__device__ float share(float D) {
  const float K = 1 / (1 + 0.2316419f * fabsf(D));
  const float Tail =
      0.39894228f * __expf(-0.5f * D * D) * K *
      (0.31938153f +
       K * (-0.356563782f +
            K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  return D > 0 ? 1 - Tail : Tail;
}

__device__ void price(const float *Spot, const float *Strike,
                      const float *Years, float *Call, float *Put) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float S = 5 + 25 * Spot[I], X = 1 + 99 * Strike[I];
  const float T = 0.25f + 9.75f * Years[I], Root = sqrtf(T);
  const float D1 = (__logf(S / X) + (0.02f + 0.045f) * T) / (0.3f * Root);
  const float D2 = D1 - 0.3f * Root;
  const float Discount = X * __expf(-0.02f * T);
  const float C1 = share(D1), C2 = share(D2);
  Call[I] = S * C1 - Discount * C2;
  Put[I] = Discount * (1 - C2) - S * (1 - C1);
}

__global__ void before(const float *Spot, const float *Strike,
                       const float *Years, float *Call, float *Put) {
  price(Spot, Strike, Years, Call, Put);
}

__global__ void after(const float *Spot, const float *Strike,
                      const float *Years, float *Call, float *Put) {
  price(Spot, Strike, Years, Call, Put);
}

int main() {
  const float *Spot = input<float>(N), *Strike = input<float>(N),
              *Years = input<float>(N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("option-prices-block-64");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 64, 64>>>(Spot, Strike, Years, Expected, Expected + N);
    else
      after<<<N / 256, 256>>>(Spot, Strike, Years, Out, Out + N);
}
