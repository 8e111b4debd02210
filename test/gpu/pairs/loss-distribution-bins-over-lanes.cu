// Rule: cuda-memory-local-array
// Losses of 64 names given a common factor, of 131072 scenarios, by a recursion
// over the names, and a tranche's part of them: a thread keeps a scenario's
// distribution in local memory, as the number of bins is known at run time
// only, or a warp has a bin a lane and shifts by shuffles.
#include "Pair.cuh"

constexpr int Scenarios = 1 << 17, Names = 64, MaxBins = 32;

__device__ float defaults(float Threshold, float Loading, float Factor) {
  return 1.0f / (1.0f + __expf(1.0f + 2.0f * Threshold + Loading * Factor));
}

__device__ float trancheLoss(int Units) {
  return fminf(fmaxf(Units - 3.0f, 0.0f), 12.0f);
}

__global__ void before(const float *__restrict__ Factor,
                       const float *__restrict__ Threshold,
                       const float *__restrict__ Loading, int Bins,
                       float *__restrict__ Tranche) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Chance[MaxBins];
  for (int B = 0; B < Bins; ++B)
    Chance[B] = B == 0;
  const float Common = 4.0f * Factor[I] - 2.0f;
  for (int Name = 0; Name < Names; ++Name) {
    const float P = defaults(Threshold[Name], Loading[Name], Common);
    const int Units = 1 + Name % 3;
    for (int B = Bins - 1; B >= Units; --B)
      Chance[B] += P * (Chance[B - Units] - Chance[B]);
    for (int B = 0; B < Units; ++B)
      Chance[B] -= P * Chance[B];
  }
  float Sum = 0;
  for (int B = 0; B < Bins; ++B)
    Sum += Chance[B] * trancheLoss(B);
  Tranche[I] = Sum;
}

__global__ void after(const float *__restrict__ Factor,
                      const float *__restrict__ Threshold,
                      const float *__restrict__ Loading,
                      float *__restrict__ Tranche) {
  const int Lane = threadIdx.x % 32;
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const float Common = 4.0f * Factor[I] - 2.0f;
  float Chance = Lane == 0;
  for (int First = 0; First < Names; First += 32) {
    const float Mine =
        defaults(Threshold[First + Lane], Loading[First + Lane], Common);
#pragma unroll 8
    for (int K = 0; K < 32; ++K) {
      const float P = __shfl_sync(~0u, Mine, K);
      const int Units = 1 + (First + K) % 3;
      const float Lower = __shfl_up_sync(~0u, Chance, Units);
      Chance += P * ((Lane >= Units ? Lower : 0.0f) - Chance);
    }
  }
  float Sum = Chance * trancheLoss(Lane);
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
  if (Lane == 0)
    Tranche[I] = Sum;
}

int main() {
  const float *Factor = input<float>(Scenarios),
              *Threshold = input<float>(Names), *Loading = input<float>(Names);
  float *Expected = output<float>(Scenarios), *Out = output<float>(Scenarios);
  Pair P("loss-distribution-bins-over-lanes");
  P.same(Expected, Out, Scenarios);
  while (P.next())
    if (P.beforesTurn())
      before<<<Scenarios / 128, 128>>>(Factor, Threshold, Loading, MaxBins,
                                       Expected);
    else
      after<<<Scenarios / 8, 256>>>(Factor, Threshold, Loading, Out);
}
