// Rule: cuda-memory-single-result
// A filter of 17 taps over a row in shared memory: a result a thread, or four
// that share a window in registers.
#include "Pair.cuh"

constexpr int N = 1 << 22, Taps = 17, Tile = 1024;

__constant__ float Weights[Taps];

__global__ void before(const float *In, float *Out) {
  __shared__ float Row[Tile + Taps - 1];
  const int First = blockIdx.x * Tile;
  for (int I = threadIdx.x; I < Tile + Taps - 1; I += blockDim.x)
    Row[I] = In[First + I];
  __syncthreads();
  for (int I = threadIdx.x; I < Tile; I += blockDim.x) {
    float Sum = 0;
#pragma unroll
    for (int K = 0; K < Taps; ++K)
      Sum += Weights[K] * Row[I + K];
    Out[First + I] = Sum;
  }
}

__global__ void after(const float *In, float *Out) {
  __shared__ __align__(16) float Row[Tile + Taps + 3];
  const int First = blockIdx.x * Tile;
  for (int I = threadIdx.x; I < Tile + Taps - 1; I += blockDim.x)
    Row[I] = In[First + I];
  __syncthreads();
  const int I = threadIdx.x * 4;
  float Window[Taps + 3];
#pragma unroll
  for (int K = 0; K < Taps + 3; K += 4)
    *reinterpret_cast<float4 *>(&Window[K]) =
        *reinterpret_cast<const float4 *>(&Row[I + K]);
  float4 Sum = {};
#pragma unroll
  for (int K = 0; K < Taps; ++K) {
    Sum.x += Weights[K] * Window[K];
    Sum.y += Weights[K] * Window[K + 1];
    Sum.z += Weights[K] * Window[K + 2];
    Sum.w += Weights[K] * Window[K + 3];
  }
  *reinterpret_cast<float4 *>(&Out[First + I]) = Sum;
}

int main() {
  const float *In = input<float>(N + Taps);
  const std::vector<float> Some = onHost(In, Taps);
  must(cudaMemcpyToSymbol(Weights, Some.data(), sizeof(Weights)));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("register-window-filter");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Tile, 256>>>(In, Expected);
    else
      after<<<N / Tile, 256>>>(In, Out);
}
