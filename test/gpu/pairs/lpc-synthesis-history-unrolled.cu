// Rule: cuda-memory-local-array
// A frame of 160 samples of many voices through an all-pole filter of order 16:
// the last samples in an array used as a ring, which has to live in local
// memory, or with 16 steps written out, so that registers hold them.
#include "Pair.cuh"

constexpr int Voices = 1 << 16, Samples = 160, Order = 16;

__device__ void coefficients(float *A, const float *Coded, int V) {
#pragma unroll
  for (int K = 0; K < Order; ++K)
    A[K] = 0.1f * (Coded[K * Voices + V] - 0.5f);
}

__global__ void before(const float *__restrict__ Coded,
                       const float *__restrict__ Excitation,
                       float *__restrict__ Speech) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  float A[Order], Past[Order] = {};
  coefficients(A, Coded, V);
  for (int S = 0; S < Samples; ++S) {
    float Y = Excitation[S * Voices + V];
#pragma unroll
    for (int K = 0; K < Order; ++K)
      Y -= A[K] * Past[(S - 1 - K) & (Order - 1)];
    Past[S & (Order - 1)] = Y;
    Speech[S * Voices + V] = Y;
  }
}

__global__ void after(const float *__restrict__ Coded,
                      const float *__restrict__ Excitation,
                      float *__restrict__ Speech) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  float A[Order], Past[Order] = {};
  coefficients(A, Coded, V);
  for (int First = 0; First < Samples; First += Order) {
#pragma unroll
    for (int S = 0; S < Order; ++S) {
      float Y = Excitation[(First + S) * Voices + V];
#pragma unroll
      for (int K = 0; K < Order; ++K)
        Y -= A[K] * Past[(S - 1 - K) & (Order - 1)];
      Past[S] = Y;
      Speech[(First + S) * Voices + V] = Y;
    }
  }
}

int main() {
  const float *Coded = input<float>(Order * Voices),
              *Excitation = input<float>(Samples * Voices);
  float *Expected = output<float>(Samples * Voices),
        *Out = output<float>(Samples * Voices);
  Pair P("lpc-synthesis-history-unrolled");
  P.same(Expected, Out, Samples * Voices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Voices / 128, 128>>>(Coded, Excitation, Expected);
    else
      after<<<Voices / 128, 128>>>(Coded, Excitation, Out);
}
