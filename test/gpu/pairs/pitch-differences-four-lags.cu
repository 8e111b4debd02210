// Rule: cuda-memory-single-result
// The difference function of a pitch detector: each frame of 1024 samples in
// shared memory against itself later by up to 511. A thread takes one lag, or
// four lags with what they read in registers.
#include "Pair.cuh"

constexpr int Frames = 512, Hop = 256, Window = 1024, Lags = 512;
constexpr int Length = Window + Lags;

__global__ void before(const float *__restrict__ Sound,
                       float *__restrict__ Difference) {
  __shared__ float Frame[Length];
  for (int I = threadIdx.x; I < Length; I += blockDim.x)
    Frame[I] = Sound[blockIdx.x * Hop + I];
  __syncthreads();
  const int Lag = threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < Window; ++I) {
    const float Delta = Frame[I] - Frame[I + Lag];
    Sum += Delta * Delta;
  }
  Difference[blockIdx.x * Lags + Lag] = Sum;
}

__global__ void after(const float *__restrict__ Sound,
                      float *__restrict__ Difference) {
  __shared__ __align__(16) float Frame[Length];
  for (int I = threadIdx.x; I < Length; I += blockDim.x)
    Frame[I] = Sound[blockIdx.x * Hop + I];
  __syncthreads();
  const int Lag = 4 * threadIdx.x;
  const float4 *Fours = reinterpret_cast<const float4 *>(Frame);
  float Sum[4] = {0, 0, 0, 0};
  float4 Near = Fours[threadIdx.x];
  for (int I = 0; I < Window / 4; ++I) {
    const float4 Own = Fours[I], Far = Fours[I + 1 + threadIdx.x];
    const float First[4] = {Own.x, Own.y, Own.z, Own.w};
    const float Later[8] = {Near.x, Near.y, Near.z, Near.w,
                            Far.x,  Far.y,  Far.z,  Far.w};
#pragma unroll
    for (int J = 0; J < 4; ++J)
#pragma unroll
      for (int K = 0; K < 4; ++K) {
        const float Delta = First[J] - Later[J + K];
        Sum[K] += Delta * Delta;
      }
    Near = Far;
  }
  for (int K = 0; K < 4; ++K)
    Difference[blockIdx.x * Lags + Lag + K] = Sum[K];
}

int main() {
  const float *Sound = input<float>(Frames * Hop + Length);
  float *Expected = output<float>(Frames * Lags),
        *Out = output<float>(Frames * Lags);
  Pair P("pitch-differences-four-lags");
  P.same(Expected, Out, Frames * Lags);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames, Lags>>>(Sound, Expected);
    else
      after<<<Frames, Lags / 4>>>(Sound, Out);
}
