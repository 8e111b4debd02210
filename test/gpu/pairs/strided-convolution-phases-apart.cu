// Rule: cuda-memory-bank-conflict
// The downsampling convolution of an audio encoder (16 taps, stride 8, 16 to 16
// channels): the staged samples lie in shared memory in order, which threads
// read at stride 8, or by their phase, where neighbours read neighbours.
#include "Pair.cuh"

constexpr int Channels = 16, Taps = 16, Stride = 8, Threads = 128, Kinds = 4;
constexpr int Results = 40000, Samples = (Results - 1) * Stride + Taps;
constexpr int Staged = (Threads - 1) * Stride + Taps;
// 4 modulo 32, so that storing has no conflicts either.
constexpr int Pitch = 132;
static_assert(Pitch >= (Staged + Stride - 1) / Stride);

__constant__ float Weights[Channels][Taps][Channels];

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float Line[Staged];
  const int First = blockIdx.x * Threads, Kind = blockIdx.y * Kinds;
  float Sums[Kinds] = {};
  for (int C = 0; C < Channels; ++C) {
    for (int I = threadIdx.x; I < Staged; I += Threads) {
      const int S = First * Stride + I;
      Line[I] = S < Samples ? In[C * Samples + S] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int T = 0; T < Taps; ++T) {
      const float Sample = Line[threadIdx.x * Stride + T];
#pragma unroll
      for (int K = 0; K < Kinds; ++K)
        Sums[K] += Weights[C][T][Kind + K] * Sample;
    }
    __syncthreads();
  }
  if (First + threadIdx.x < Results)
    for (int K = 0; K < Kinds; ++K)
      Out[(Kind + K) * Results + First + threadIdx.x] = Sums[K];
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float Line[Stride][Pitch];
  const int First = blockIdx.x * Threads, Kind = blockIdx.y * Kinds;
  float Sums[Kinds] = {};
  for (int C = 0; C < Channels; ++C) {
    for (int I = threadIdx.x; I < Staged; I += Threads) {
      const int S = First * Stride + I;
      Line[I % Stride][I / Stride] = S < Samples ? In[C * Samples + S] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int T = 0; T < Taps; ++T) {
      const float Sample = Line[T % Stride][threadIdx.x + T / Stride];
#pragma unroll
      for (int K = 0; K < Kinds; ++K)
        Sums[K] += Weights[C][T][Kind + K] * Sample;
    }
    __syncthreads();
  }
  if (First + threadIdx.x < Results)
    for (int K = 0; K < Kinds; ++K)
      Out[(Kind + K) * Results + First + threadIdx.x] = Sums[K];
}

int main() {
  const float *In = input<float>(Channels * Samples),
              *Of = input<float>(Channels * Taps * Channels);
  must(cudaMemcpyToSymbol(Weights, Of, sizeof(Weights), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Channels * Results),
        *Out = output<float>(Channels * Results);
  Pair P("strided-convolution-phases-apart");
  P.same(Expected, Out, Channels * Results);
  const dim3 Grid((Results + Threads - 1) / Threads, Channels / Kinds);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Threads>>>(In, Expected);
    else
      after<<<Grid, Threads>>>(In, Out);
}
