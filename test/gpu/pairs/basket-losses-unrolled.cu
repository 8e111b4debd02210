// Rule: cuda-memory-local-array
// Expected loss of a tranche of 100 loans, given a state of the market: the
// chances of 0 to 39 defaults are worked out loan by loan, in an array that
// loops with bounds known at run time index, or unrolled loops (in registers).
#include "Pair.cuh"

constexpr int Markets = 1 << 16, Loans = 100, Counts = 40;
constexpr int Attaches = 3, Detaches = 10;

__device__ float defaults(float Threshold, float Market) {
  return 1 / (1 + __expf(2 + 2 * Threshold + Market));
}

__global__ void before(const float *__restrict__ Threshold,
                       const float *__restrict__ Market, float *Loss) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float M = 4 * Market[I] - 2;
  float Chance[Counts];
  for (int K = 0; K < Counts; ++K)
    Chance[K] = K == 0;
  for (int L = 0; L < Loans; ++L) {
    const float Q = defaults(Threshold[L], M);
    for (int K = min(L + 1, Counts - 1); K > 0; --K)
      Chance[K] += Q * (Chance[K - 1] - Chance[K]);
    Chance[0] -= Q * Chance[0];
  }
  float Sum = 0;
  for (int K = Attaches + 1; K < Counts; ++K)
    Sum += Chance[K] * (min(K, Detaches) - Attaches);
  Loss[I] = Sum;
}

__global__ void after(const float *__restrict__ Threshold,
                      const float *__restrict__ Market, float *Loss) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float M = 4 * Market[I] - 2;
  float Chance[Counts];
#pragma unroll
  for (int K = 0; K < Counts; ++K)
    Chance[K] = K == 0;
  for (int L = 0; L < Loans; ++L) {
    const float Q = defaults(Threshold[L], M);
#pragma unroll
    for (int K = Counts - 1; K > 0; --K)
      Chance[K] += Q * (Chance[K - 1] - Chance[K]);
    Chance[0] -= Q * Chance[0];
  }
  float Sum = 0;
#pragma unroll
  for (int K = Attaches + 1; K < Counts; ++K)
    Sum += Chance[K] * (min(K, Detaches) - Attaches);
  Loss[I] = Sum;
}

int main() {
  const float *Threshold = input<float>(Loans), *Market = input<float>(Markets);
  float *Expected = output<float>(Markets), *Out = output<float>(Markets);
  Pair P("basket-losses-unrolled");
  P.same(Expected, Out, Markets);
  while (P.next())
    if (P.beforesTurn())
      before<<<Markets / 128, 128>>>(Threshold, Market, Expected);
    else
      after<<<Markets / 128, 128>>>(Threshold, Market, Out);
}
