// Rule: cuda-memory-single-result
// Gradient of the seven taps of a depthwise convolution over time, through the
// slope of the activation behind it, as training asks for: a block for each tap
// of each channel goes over all samples, or a block a channel goes over them
// once and keeps seven sums a thread.
#include "Pair.cuh"

constexpr int Channels = 1024, Samples = 8, Length = 1024, Taps = 7;
constexpr int Pitch = Length + 8, Block = 256, Warps = Block / 32;

// Of Z / (1 + exp(-Z)).
__device__ float slope(float Z) {
  const float S = 1.0f / (1.0f + __expf(-Z));
  return S * (1.0f + Z * (1.0f - S));
}

__device__ float sumOfWarp(float Value) {
  for (int Step = 16; Step > 0; Step /= 2)
    Value += __shfl_xor_sync(~0u, Value, Step);
  return Value;
}

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Inner,
                       const float *__restrict__ Loss,
                       float *__restrict__ Gradient) {
  __shared__ float OfWarp[Warps];
  const int Channel = blockIdx.x / Taps, Tap = blockIdx.x % Taps;
  float Sum = 0;
  for (int I = threadIdx.x; I < Samples * Length; I += Block) {
    const int Row = I / Length * Channels + Channel, At = I % Length;
    const float Back =
        (Loss[Row * Length + At] - 0.5f) * slope(Inner[Row * Length + At]);
    Sum += Back * In[Row * Pitch + At + Tap];
  }
  Sum = sumOfWarp(Sum);
  if (threadIdx.x % 32 == 0)
    OfWarp[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float All = 0;
    for (int W = 0; W < Warps; ++W)
      All += OfWarp[W];
    Gradient[blockIdx.x] = All;
  }
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Inner,
                      const float *__restrict__ Loss,
                      float *__restrict__ Gradient) {
  __shared__ float OfWarp[Taps][Warps];
  const int Channel = blockIdx.x;
  float Sum[Taps] = {};
  for (int I = threadIdx.x; I < Samples * Length; I += Block) {
    const int Row = I / Length * Channels + Channel, At = I % Length;
    const float Back =
        (Loss[Row * Length + At] - 0.5f) * slope(Inner[Row * Length + At]);
#pragma unroll
    for (int Tap = 0; Tap < Taps; ++Tap)
      Sum[Tap] += Back * In[Row * Pitch + At + Tap];
  }
#pragma unroll
  for (int Tap = 0; Tap < Taps; ++Tap) {
    const float Part = sumOfWarp(Sum[Tap]);
    if (threadIdx.x % 32 == 0)
      OfWarp[Tap][threadIdx.x / 32] = Part;
  }
  __syncthreads();
  if (threadIdx.x < Taps) {
    float All = 0;
    for (int W = 0; W < Warps; ++W)
      All += OfWarp[threadIdx.x][W];
    Gradient[Channel * Taps + threadIdx.x] = All;
  }
}

int main() {
  const int Rows = Samples * Channels;
  const float *In = input<float>(Rows * Pitch),
              *Inner = input<float>(Rows * Length),
              *Loss = input<float>(Rows * Length);
  float *Expected = output<float>(Channels * Taps),
        *Out = output<float>(Channels * Taps);
  Pair P("depthwise-taps-gradient-one-pass");
  P.same(Expected, Out, Channels * Taps);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels * Taps, Block>>>(In, Inner, Loss, Expected);
    else
      after<<<Channels, Block>>>(In, Inner, Loss, Out);
}
