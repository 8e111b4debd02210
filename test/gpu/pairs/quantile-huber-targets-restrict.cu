// Rule: cuda-memory-missing-restrict
// The loss of distributional Q-learning: each of 64 quantiles of a sample is
// compared with all 64 of its target (quantile Huber loss). Without
// __restrict__ the compiler must think that the results may overwrite the
// targets.
#include "Pair.cuh"

constexpr int Quantiles = 64, Samples = 1 << 14, PerBlock = 4;

struct Huber {
  float Loss, Slope;
};

__device__ Huber huber(float Error) {
  const float Size = fabsf(Error);
  if (Size <= 0.2f)
    return {0.5f * Error * Error, Error};
  return {0.2f * (Size - 0.1f), copysignf(0.2f, Error)};
}

__global__ void before(const float *Predicted, const float *Target,
                       const float *Importance, float *Loss, float *Gradient) {
  const int Sample = blockIdx.x * PerBlock + threadIdx.y;
  const int I = Sample * Quantiles + threadIdx.x;
  const float Mine = Predicted[I], Level = (threadIdx.x + 0.5f) / Quantiles;
  float Sum = 0, Slope = 0;
#pragma unroll 4
  for (int J = 0; J < Quantiles; ++J) {
    const float Error = Target[Sample * Quantiles + J] - Mine;
    const float Weight = Error < 0 ? 1 - Level : Level;
    const Huber H = huber(Error);
    Sum += Weight * H.Loss;
    Slope -= Weight * H.Slope;
  }
  const float Scale = Importance[Sample] / Quantiles;
  Loss[I] = Sum * Scale;
  Gradient[I] = Slope * Scale;
}

__global__ void after(const float *__restrict__ Predicted,
                      const float *__restrict__ Target,
                      const float *__restrict__ Importance,
                      float *__restrict__ Loss, float *__restrict__ Gradient) {
  const int Sample = blockIdx.x * PerBlock + threadIdx.y;
  const int I = Sample * Quantiles + threadIdx.x;
  const float Mine = Predicted[I], Level = (threadIdx.x + 0.5f) / Quantiles;
  float Sum = 0, Slope = 0;
#pragma unroll 4
  for (int J = 0; J < Quantiles; ++J) {
    const float Error = Target[Sample * Quantiles + J] - Mine;
    const float Weight = Error < 0 ? 1 - Level : Level;
    const Huber H = huber(Error);
    Sum += Weight * H.Loss;
    Slope -= Weight * H.Slope;
  }
  const float Scale = Importance[Sample] / Quantiles;
  Loss[I] = Sum * Scale;
  Gradient[I] = Slope * Scale;
}

int main() {
  constexpr size_t Count = size_t(Samples) * Quantiles;
  const float *In = input<float>(2 * Count + Samples);
  float *Expected = output<float>(2 * Count), *Out = output<float>(2 * Count);
  Pair P("quantile-huber-targets-restrict");
  P.same(Expected, Out, 2 * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples / PerBlock, dim3(Quantiles, PerBlock)>>>(
          In, In + Count, In + 2 * Count, Expected, Expected + Count);
    else
      after<<<Samples / PerBlock, dim3(Quantiles, PerBlock)>>>(
          In, In + Count, In + 2 * Count, Out, Out + Count);
}
