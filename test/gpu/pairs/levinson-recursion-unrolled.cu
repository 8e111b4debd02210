// Rule: cuda-memory-local-array
// Levinson's recursion: the prediction-error filter of sixteen coefficients of
// each window of a seismogram, from its autocorrelation. A thread's two arrays
// are indexed by the order reached, in a loop or in unrolled steps.
#include "Pair.cuh"

constexpr int Windows = 1 << 18, Order = 16;
constexpr float Prewhitening = 20;

__global__ void before(const float *__restrict__ Correlation,
                       float *__restrict__ Filter) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float R[Order + 1], A[Order + 1];
#pragma unroll 1
  for (int Lag = 0; Lag <= Order; ++Lag)
    R[Lag] = Correlation[Lag * Windows + I];
  float Error = R[0] + Prewhitening;
#pragma unroll 1
  for (int M = 1; M <= Order; ++M) {
    float Sum = R[M];
    for (int J = 1; J < M; ++J)
      Sum += A[J] * R[M - J];
    const float K = -Sum / Error;
    for (int J = 1; J <= M / 2; ++J) {
      const float Low = A[J], High = A[M - J];
      A[M - J] = High + K * Low;
      A[J] = Low + K * High;
    }
    A[M] = K;
    Error *= 1 - K * K;
  }
  Filter[I] = Error;
  for (int M = 1; M <= Order; ++M)
    Filter[M * Windows + I] = A[M];
}

__global__ void after(const float *__restrict__ Correlation,
                      float *__restrict__ Filter) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float R[Order + 1], A[Order + 1];
#pragma unroll
  for (int Lag = 0; Lag <= Order; ++Lag)
    R[Lag] = Correlation[Lag * Windows + I];
  float Error = R[0] + Prewhitening;
#pragma unroll
  for (int M = 1; M <= Order; ++M) {
    float Sum = R[M];
#pragma unroll
    for (int J = 1; J < M; ++J)
      Sum += A[J] * R[M - J];
    const float K = -Sum / Error;
#pragma unroll
    for (int J = 1; J <= M / 2; ++J) {
      const float Low = A[J], High = A[M - J];
      A[M - J] = High + K * Low;
      A[J] = Low + K * High;
    }
    A[M] = K;
    Error *= 1 - K * K;
  }
  Filter[I] = Error;
#pragma unroll
  for (int M = 1; M <= Order; ++M)
    Filter[M * Windows + I] = A[M];
}

int main() {
  constexpr size_t Count = size_t(Windows) * (Order + 1);
  const float *Correlation = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("levinson-recursion-unrolled");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Windows / 128, 128>>>(Correlation, Expected);
    else
      after<<<Windows / 128, 128>>>(Correlation, Out);
}
