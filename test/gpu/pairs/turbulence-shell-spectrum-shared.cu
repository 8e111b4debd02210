// Rule: cuda-memory-atomic-contention
// Energy spectrum of a turbulent flow: the Fourier modes of three components of
// velocity summed by shells of the wave number, by atomics in global memory or
// in shared memory and then once a block.
#include "Pair.cuh"

constexpr int Side = 128, Modes = Side * Side * Side, Shells = 112;
constexpr int Blocks = 528, Threads = 512;

__device__ int wave(int Index) {
  return Index < Side / 2 ? Index : Index - Side;
}

__device__ int shellOf(int Mode) {
  const int X = wave(Mode % Side), Y = wave(Mode / Side % Side),
            Z = wave(Mode / Side / Side);
  return int(sqrtf(float(X * X + Y * Y + Z * Z)) + 0.5f);
}

__device__ float energy(float2 U, float2 V, float2 W) {
  return 0.5f * (U.x * U.x + U.y * U.y + V.x * V.x + V.y * V.y + W.x * W.x +
                 W.y * W.y);
}

__global__ void before(const float2 *__restrict__ U,
                       const float2 *__restrict__ V,
                       const float2 *__restrict__ W,
                       float *__restrict__ Spectrum) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Modes;
       I += Blocks * Threads)
    atomicAdd(&Spectrum[shellOf(I)], energy(U[I], V[I], W[I]));
}

__global__ void after(const float2 *__restrict__ U,
                      const float2 *__restrict__ V,
                      const float2 *__restrict__ W,
                      float *__restrict__ Spectrum) {
  __shared__ float Local[Shells];
  if (threadIdx.x < Shells)
    Local[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Modes;
       I += Blocks * Threads)
    atomicAdd(&Local[shellOf(I)], energy(U[I], V[I], W[I]));
  __syncthreads();
  if (threadIdx.x < Shells)
    atomicAdd(&Spectrum[threadIdx.x], Local[threadIdx.x]);
}

int main() {
  const float *Numbers = input<float>(6 * Modes);
  const auto *U = (const float2 *)Numbers, *V = U + Modes, *W = V + Modes;
  float *Expected = output<float>(Shells), *Out = output<float>(Shells);
  Pair P("turbulence-shell-spectrum-shared");
  P.same(Expected, Out, Shells);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(U, V, W, Expected);
    else
      after<<<Blocks, Threads>>>(U, V, W, Out);
}
