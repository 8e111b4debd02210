// Rule: cuda-memory-bank-conflict
// A 1x1 convolution from 128 to 128 channels over 16 images of 56x56, by
// tiles of 16x16 in shared memory, whose rows are 16 floats long or, against
// bank conflicts, 17.
#include "Pair.cuh"

constexpr int Images = 16, Pixels = 56 * 56, Channels = 128, Side = 16;

template <int Pitch>
__device__ void convolve(const float *In, const float *Weights, float *Out) {
  __shared__ float Weight[Side][Pitch], Input[Side][Pitch];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Pixel = blockIdx.x * Side + X, To = blockIdx.y * Side + Y;
  In += blockIdx.z * Channels * Pixels;
  Out += blockIdx.z * Channels * Pixels;
  float Sum = 0;
  for (int First = 0; First < Channels; First += Side) {
    Weight[Y][X] = Weights[To * Channels + First + X];
    Input[Y][X] = In[(First + Y) * Pixels + Pixel];
    __syncthreads();
#pragma unroll
    for (int C = 0; C < Side; ++C)
      Sum += Weight[Y][C] * Input[C][X];
    __syncthreads();
  }
  Out[To * Pixels + Pixel] = fmaxf(Sum, 0.f);
}

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weights,
                       float *__restrict__ Out) {
  convolve<Side>(In, Weights, Out);
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Weights,
                      float *__restrict__ Out) {
  convolve<Side + 1>(In, Weights, Out);
}

int main() {
  constexpr int N = Images * Channels * Pixels;
  const float *In = input<float>(N),
              *Weights = input<float>(Channels * Channels);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("pointwise-convolution-padded");
  P.same(Expected, Out, N);
  const dim3 Grid(Pixels / Side, Channels / Side, Images), Block(Side, Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Weights, Expected);
    else
      after<<<Grid, Block>>>(In, Weights, Out);
}
