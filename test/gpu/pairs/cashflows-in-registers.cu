// Rule: cuda-memory-local-array
// Discount factors stripped from sixteen par rates of each of a million curves,
// each by all those before it: in an array that the number of terms, known at
// run time only, keeps in local memory, or in registers by loops unrolled.
#include "Pair.cuh"

constexpr int N = 1 << 20, MaxTerms = 16;

__global__ void before(const float *__restrict__ Rates, int Terms,
                       float *__restrict__ Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Discount[MaxTerms];
  float Sum = 0;
  for (int K = 0; K < Terms; ++K) {
    const float Rate = 0.1f * Rates[K * N + I];
    float Paid = 0;
    for (int J = 0; J < K; ++J)
      Paid += Discount[J] * (1.0f + 0.01f * (K - J));
    Discount[K] = (1.0f - Rate * Paid) / (1.0f + Rate);
    Sum += Discount[K];
  }
  Value[I] = Sum;
}

template <int Terms>
__device__ __forceinline__ float stripped(const float *Rates, int I) {
  float Discount[Terms];
  float Sum = 0;
#pragma unroll
  for (int K = 0; K < Terms; ++K) {
    const float Rate = 0.1f * Rates[K * N + I];
    float Paid = 0;
#pragma unroll
    for (int J = 0; J < K; ++J)
      Paid += Discount[J] * (1.0f + 0.01f * (K - J));
    Discount[K] = (1.0f - Rate * Paid) / (1.0f + Rate);
    Sum += Discount[K];
  }
  return Sum;
}

__global__ void after(const float *__restrict__ Rates,
                      float *__restrict__ Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Value[I] = stripped<MaxTerms>(Rates, I);
}

int main() {
  const float *Rates = input<float>(size_t(N) * MaxTerms);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("cashflows-in-registers");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Rates, MaxTerms, Expected);
    else
      after<<<N / 256, 256>>>(Rates, Out);
}
