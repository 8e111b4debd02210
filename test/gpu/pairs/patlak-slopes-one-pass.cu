// Rule: cuda-memory-repeated-pass
// Patlak plot of each voxel of a dynamic PET scan, that is a line fitted to its
// 36 frames: means, then slope, then residual, each a pass over the frames, or
// all from sums that one pass collects.
#include "Pair.cuh"

constexpr int Voxels = 1 << 20;

__global__ void before(const float *__restrict__ Activity,
                       const float *__restrict__ Stretched,
                       const float *__restrict__ PerPlasma, int Frames,
                       float *__restrict__ Slopes,
                       float *__restrict__ Intercepts,
                       float *__restrict__ Residuals) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  float MeanX = 0, MeanY = 0;
  for (int F = 0; F < Frames; ++F) {
    MeanX += Stretched[F];
    MeanY += Activity[F * Voxels + V] * PerPlasma[F];
  }
  MeanX /= Frames;
  MeanY /= Frames;
  float XX = 0, XY = 0;
  for (int F = 0; F < Frames; ++F) {
    const float X = Stretched[F] - MeanX;
    XX += X * X;
    XY += X * (Activity[F * Voxels + V] * PerPlasma[F] - MeanY);
  }
  const float Slope = XY / XX, Intercept = MeanY - Slope * MeanX;
  float Residual = 0;
  for (int F = 0; F < Frames; ++F) {
    const float R = Activity[F * Voxels + V] * PerPlasma[F] -
                    (Slope * Stretched[F] + Intercept);
    Residual += R * R;
  }
  Slopes[V] = Slope;
  Intercepts[V] = Intercept;
  Residuals[V] = Residual;
}

__global__ void after(const float *__restrict__ Activity,
                      const float *__restrict__ Stretched,
                      const float *__restrict__ PerPlasma, int Frames,
                      float *__restrict__ Slopes,
                      float *__restrict__ Intercepts,
                      float *__restrict__ Residuals) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  float SumX = 0, SumY = 0, XX = 0, XY = 0, YY = 0;
  for (int F = 0; F < Frames; ++F) {
    const float X = Stretched[F];
    const float Y = Activity[F * Voxels + V] * PerPlasma[F];
    SumX += X;
    SumY += Y;
    XX += X * X;
    XY += X * Y;
    YY += Y * Y;
  }
  const float MeanX = SumX / Frames, MeanY = SumY / Frames;
  XX -= SumX * MeanX;
  XY -= SumX * MeanY;
  YY -= SumY * MeanY;
  const float Slope = XY / XX;
  Slopes[V] = Slope;
  Intercepts[V] = MeanY - Slope * MeanX;
  Residuals[V] = fmaxf(YY - Slope * XY, 0);
}

int main() {
  constexpr int Frames = 36;
  const float *Activity = input<float>(size_t(Frames) * Voxels),
              *Stretched = input<float>(Frames),
              *PerPlasma = input<float>(Frames);
  float *Expected = output<float>(3 * Voxels), *Out = output<float>(3 * Voxels);
  Pair P("patlak-slopes-one-pass");
  P.same(Expected, Out, 3 * Voxels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Voxels / 256, 256>>>(Activity, Stretched, PerPlasma, Frames,
                                    Expected, Expected + Voxels,
                                    Expected + 2 * Voxels);
    else
      after<<<Voxels / 256, 256>>>(Activity, Stretched, PerPlasma, Frames, Out,
                                   Out + Voxels, Out + 2 * Voxels);
}
