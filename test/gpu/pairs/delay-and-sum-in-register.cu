// Rule: cuda-memory-missing-restrict
// Ultrasound image of a plane wave by delay and sum over 64 channels. The
// remedy sums in a register instead of in the pixel's place in global memory.
#include "Pair.cuh"

constexpr int Width = 1024, Height = 512, Channels = 64, Samples = 2048;

__constant__ float Apodisation[Channels];

/// What channel \p C heard of the point, all lengths in samples.
__device__ float heard(const float *Echoes, int C, float X, float Depth) {
  const float Aside = X - (C - 31.5f) * 8;
  const float Time = Depth + sqrtf(Depth * Depth + Aside * Aside);
  const int I = int(Time);
  const float *Line = Echoes + C * Samples + I;
  return Line[0] + (Time - I) * (Line[1] - Line[0]);
}

__global__ void before(const float *Echoes, float *Image) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Row = blockIdx.y * blockDim.y + threadIdx.y;
  const float X = (Column - Width / 2) * 0.75f, Depth = Row * 1.5f;
  const int Pixel = Row * Width + Column;
  Image[Pixel] = 0;
  for (int C = 0; C < Channels; ++C)
    Image[Pixel] += Apodisation[C] * heard(Echoes, C, X, Depth);
}

__global__ void after(const float *Echoes, float *Image) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Row = blockIdx.y * blockDim.y + threadIdx.y;
  const float X = (Column - Width / 2) * 0.75f, Depth = Row * 1.5f;
  const int Pixel = Row * Width + Column;
  float Sum = 0;
  for (int C = 0; C < Channels; ++C)
    Sum += Apodisation[C] * heard(Echoes, C, X, Depth);
  Image[Pixel] = Sum;
}

int main() {
  const float *Echoes = input<float>(Channels * Samples),
              *Weights = input<float>(Channels);
  must(cudaMemcpyToSymbol(Apodisation, Weights, sizeof(Apodisation), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("delay-and-sum-in-register");
  P.same(Expected, Out, Width * Height);
  const dim3 Grid(Width / 32, Height / 4), Block(32, 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Echoes, Expected);
    else
      after<<<Grid, Block>>>(Echoes, Out);
}
