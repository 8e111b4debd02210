// Rule: cuda-memory-idle-lanes
// The largest Courant number of a flow, for each block: a tree at the end whose
// lanes at work lie ever further apart, or side by side.
#include "Pair.cuh"

constexpr int Width = 256, Height = 256, Depth = 128;
constexpr int N = Width * Height * Depth, Blocks = 528, Threads = 512;

__device__ float largest(const float *__restrict__ U,
                         const float *__restrict__ V,
                         const float *__restrict__ W,
                         const float *__restrict__ Layer, float Step) {
  float Most = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N;
       I += Blocks * Threads) {
    const float Thickness = 0.5f + Layer[I / (Width * Height)];
    Most = fmaxf(Most, Step * (fabsf(U[I] - 0.5f) + fabsf(V[I] - 0.5f) +
                               fabsf(W[I] - 0.5f) / Thickness));
  }
  return Most;
}

__global__ void before(const float *__restrict__ U, const float *__restrict__ V,
                       const float *__restrict__ W,
                       const float *__restrict__ Layer, float Step,
                       float *__restrict__ Courant) {
  __shared__ float Most[Threads];
  Most[threadIdx.x] = largest(U, V, W, Layer, Step);
  __syncthreads();
  for (int S = 1; S < Threads; S *= 2) {
    if (threadIdx.x % (2 * S) == 0)
      Most[threadIdx.x] = fmaxf(Most[threadIdx.x], Most[threadIdx.x + S]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Courant[blockIdx.x] = Most[0];
}

__global__ void after(const float *__restrict__ U, const float *__restrict__ V,
                      const float *__restrict__ W,
                      const float *__restrict__ Layer, float Step,
                      float *__restrict__ Courant) {
  __shared__ float Most[Threads];
  Most[threadIdx.x] = largest(U, V, W, Layer, Step);
  __syncthreads();
  for (int S = Threads / 2; S > 0; S /= 2) {
    if (threadIdx.x < S)
      Most[threadIdx.x] = fmaxf(Most[threadIdx.x], Most[threadIdx.x + S]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Courant[blockIdx.x] = Most[0];
}

int main() {
  const float *U = input<float>(3 * size_t(N)), *V = U + N, *W = V + N,
              *Layer = input<float>(Depth);
  float *Expected = output<float>(Blocks), *Out = output<float>(Blocks);
  Pair P("courant-number-dense-lanes");
  P.same(Expected, Out, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(U, V, W, Layer, 1.5f, Expected);
    else
      after<<<Blocks, Threads>>>(U, V, W, Layer, 1.5f, Out);
}
