// Rule: cuda-memory-missing-reuse
// The short convolution ahead of a state space layer: four taps along time for
// each channel, then SiLU; the inputs from global memory, or from a tile that
// each block stages in shared memory.
#include "Pair.cuh"

constexpr int Channels = 3072, Length = 2048, Taps = 4, Threads = 256;

__device__ float silu(float X) { return X / (1 + __expf(-X)); }

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weights,
                       const float *__restrict__ Bias,
                       float *__restrict__ Out) {
  const int T = blockIdx.x * Threads + threadIdx.x, C = blockIdx.y;
  float Sum = Bias[C];
#pragma unroll
  for (int K = 0; K < Taps; ++K) {
    const int From = T - (Taps - 1) + K;
    if (From >= 0)
      Sum += Weights[C * Taps + K] * In[C * Length + From];
  }
  Out[C * Length + T] = silu(Sum);
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Weights,
                      const float *__restrict__ Bias, float *__restrict__ Out) {
  __shared__ float Tile[Threads + Taps - 1];
  const int T = blockIdx.x * Threads + threadIdx.x, C = blockIdx.y;
  Tile[threadIdx.x + Taps - 1] = In[C * Length + T];
  if (threadIdx.x < Taps - 1) {
    const int From = T - (Taps - 1);
    Tile[threadIdx.x] = From >= 0 ? In[C * Length + From] : 0.f;
  }
  __syncthreads();
  float Sum = Bias[C];
#pragma unroll
  for (int K = 0; K < Taps; ++K)
    Sum += Weights[C * Taps + K] * Tile[threadIdx.x + K];
  Out[C * Length + T] = silu(Sum);
}

int main() {
  constexpr int N = Channels * Length;
  const float *In = input<float>(N), *Bias = input<float>(Channels),
              *Weights = input<float>(Channels * Taps);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("causal-convolution-tile");
  P.same(Expected, Out, N);
  const dim3 Grid(Length / Threads, Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Threads>>>(In, Weights, Bias, Expected);
    else
      after<<<Grid, Threads>>>(In, Weights, Bias, Out);
}
