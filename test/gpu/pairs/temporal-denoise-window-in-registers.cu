// Rule: cuda-memory-single-result
// Denoises a clip over time: a pixel is the mean of those of five frames that
// are like it. A thread for each pixel of each frame reads all five, or a
// thread for a pixel walks through a shot and keeps the five in registers.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1080, Frames = 24;
constexpr int Area = Width * Height;

__device__ inline void take(float Centre, float X, float &Sum, float &Weight) {
  const float D = Centre - X;
  const float W = fmaxf(0.f, 1.f - D * D * 8.f);
  Sum += W * X;
  Weight += W;
}

__global__ void before(const float *Clip, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int F = blockIdx.y;
  if (I >= Area)
    return;
  const float Centre = Clip[size_t(F) * Area + I];
  float Sum = 0, Weight = 0;
  for (int D = -2; D <= 2; ++D) {
    const int G = min(max(F + D, 0), Frames - 1);
    take(Centre, Clip[size_t(G) * Area + I], Sum, Weight);
  }
  Out[size_t(F) * Area + I] = Sum / Weight;
}

__global__ void after(const float *Clip, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Area)
    return;
  float C = Clip[I], D = Clip[size_t(1) * Area + I];
  float A = C, B = C;
#pragma unroll 4
  for (int F = 0; F < Frames; ++F) {
    const int G = min(F + 2, Frames - 1);
    const float E = Clip[size_t(G) * Area + I];
    float Sum = 0, Weight = 0;
    take(C, A, Sum, Weight);
    take(C, B, Sum, Weight);
    take(C, C, Sum, Weight);
    take(C, D, Sum, Weight);
    take(C, E, Sum, Weight);
    Out[size_t(F) * Area + I] = Sum / Weight;
    A = B;
    B = C;
    C = D;
    D = E;
  }
}

int main() {
  constexpr size_t Count = size_t(Area) * Frames;
  const float *Clip = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("temporal-denoise-window-in-registers");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3((Area + 255) / 256, Frames), 256>>>(Clip, Expected);
    else
      after<<<(Area + 255) / 256, 256>>>(Clip, Out);
}
