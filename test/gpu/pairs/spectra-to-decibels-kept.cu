// Rule: cuda-memory-redundant-round-trip
// Rows of a spectrogram, 512 complex bins, become decibels below the loudest
// bin of the row. Powers are written to global memory and read back once the
// largest is known, or each thread keeps its four. The fusion advice of guides:
// no round trip through memory.
#include "Pair.cuh"

constexpr int Rows = 1 << 14, Bins = 512, Block = 128, Each = Bins / Block;

__device__ float largestOfBlock(float Value, float *Partial) {
  for (int Off = 16; Off > 0; Off /= 2)
    Value = fmaxf(Value, __shfl_xor_sync(~0u, Value, Off));
  if (threadIdx.x % 32 == 0)
    Partial[threadIdx.x / 32] = Value;
  __syncthreads();
  for (int W = 0; W < Block / 32; ++W)
    Value = fmaxf(Value, Partial[W]);
  return Value;
}

__global__ void before(const float2 *__restrict__ Spectra, float *Decibels) {
  __shared__ float Partial[Block / 32];
  const float2 *In = Spectra + size_t(blockIdx.x) * Bins;
  float *Out = Decibels + size_t(blockIdx.x) * Bins;
  float Largest = 0;
  for (int B = threadIdx.x; B < Bins; B += Block) {
    const float2 S = In[B];
    const float Power = S.x * S.x + S.y * S.y;
    Out[B] = Power;
    Largest = fmaxf(Largest, Power);
  }
  Largest = largestOfBlock(Largest, Partial);
  for (int B = threadIdx.x; B < Bins; B += Block)
    Out[B] = fmaxf(10 * log10f(Out[B] / Largest), -80.0f);
}

__global__ void after(const float2 *__restrict__ Spectra, float *Decibels) {
  __shared__ float Partial[Block / 32];
  const float2 *In = Spectra + size_t(blockIdx.x) * Bins;
  float *Out = Decibels + size_t(blockIdx.x) * Bins;
  float Largest = 0, Power[Each];
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    const float2 S = In[E * Block + threadIdx.x];
    Power[E] = S.x * S.x + S.y * S.y;
    Largest = fmaxf(Largest, Power[E]);
  }
  Largest = largestOfBlock(Largest, Partial);
#pragma unroll
  for (int E = 0; E < Each; ++E)
    Out[E * Block + threadIdx.x] =
        fmaxf(10 * log10f(Power[E] / Largest), -80.0f);
}

int main() {
  constexpr size_t Count = size_t(Rows) * Bins;
  const float2 *Spectra =
      reinterpret_cast<const float2 *>(input<float>(2 * Count));
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("spectra-to-decibels-kept");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Block>>>(Spectra, Expected);
    else
      after<<<Rows, Block>>>(Spectra, Out);
}
