// Rule: cuda-memory-single-result
// First half of a radio telescope's polyphase filter bank: 2048 points of each
// spectrum are sums of eight weighted samples. A thread makes one point, or
// the same point of 32 spectra, weights and samples kept in registers.
#include "Pair.cuh"

constexpr int Points = 2048, Spectra = 2048, Taps = 8, Run = 32;

__global__ void before(const float *__restrict__ Samples,
                       const float *__restrict__ Weights,
                       float *__restrict__ Out) {
  const int Point = blockIdx.x * blockDim.x + threadIdx.x;
  const int S = blockIdx.y;
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Taps; ++T)
    Sum += Weights[T * Points + Point] * Samples[(S + T) * Points + Point];
  Out[S * Points + Point] = Sum;
}

__global__ void after(const float *__restrict__ Samples,
                      const float *__restrict__ Weights,
                      float *__restrict__ Out) {
  const int Point = blockIdx.x * blockDim.x + threadIdx.x;
  const int First = blockIdx.y * Run;
  float Weight[Taps], Window[Taps];
#pragma unroll
  for (int T = 0; T < Taps; ++T)
    Weight[T] = Weights[T * Points + Point];
#pragma unroll
  for (int T = 0; T < Taps - 1; ++T)
    Window[T] = Samples[(First + T) * Points + Point];
  for (int S = First; S < First + Run; S += Taps) {
#pragma unroll
    for (int K = 0; K < Taps; ++K) {
      Window[(K + Taps - 1) % Taps] =
          Samples[(S + K + Taps - 1) * Points + Point];
      float Sum = 0;
#pragma unroll
      for (int T = 0; T < Taps; ++T)
        Sum += Weight[T] * Window[(K + T) % Taps];
      Out[(S + K) * Points + Point] = Sum;
    }
  }
}

int main() {
  const float *Samples = input<float>((Spectra + Taps - 1) * Points),
              *Weights = input<float>(Taps * Points);
  float *Expected = output<float>(Spectra * Points),
        *Out = output<float>(Spectra * Points);
  Pair P("filter-bank-window-kept");
  P.same(Expected, Out, Spectra * Points);
  const dim3 All(Points / 128, Spectra), Runs(Points / 128, Spectra / Run);
  while (P.next())
    if (P.beforesTurn())
      before<<<All, 128>>>(Samples, Weights, Expected);
    else
      after<<<Runs, 128>>>(Samples, Weights, Out);
}
