// Rule: cuda-memory-atomic-contention
// Power spectra of 2,048 bins are added up over all frames: a block adds each of its
// eight frames to the sums in global memory, or keeps the sum of these in registers.
#include "Pair.cuh"

constexpr int Frames = 4096, Bins = 2048, Each = 8;

__device__ float power(float2 X) { return X.x * X.x + X.y * X.y; }

__global__ void before(const float2 *In, float *Sums) {
  for (int Frame = 0; Frame < Each; ++Frame)
    for (int Bin = threadIdx.x; Bin < Bins; Bin += 256)
      atomicAdd(&Sums[Bin],
                power(In[(blockIdx.x * Each + Frame) * Bins + Bin]));
}

__global__ void after(const float2 *In, float *Sums) {
  for (int Bin = threadIdx.x; Bin < Bins; Bin += 256) {
    float Sum = 0;
    for (int Frame = 0; Frame < Each; ++Frame)
      Sum += power(In[(blockIdx.x * Each + Frame) * Bins + Bin]);
    atomicAdd(&Sums[Bin], Sum);
  }
}

int main() {
  const float2 *In =
      reinterpret_cast<const float2 *>(input<float>(2 * Frames * Bins));
  float *Expected = output<float>(Bins), *Out = output<float>(Bins);
  Pair P("spectra-averaged-by-block");
  P.same(Expected, Out, Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / Each, 256>>>(In, Expected);
    else
      after<<<Frames / Each, 256>>>(In, Out);
}
