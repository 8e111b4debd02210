// Rule: cuda-memory-single-result
// A convolution of 32 channels by 3 x 3 weights: a thread reads the nine pixels
// of a channel for one channel of the output or for eight.
#include "Pair.cuh"

constexpr int Side = 128, Pitch = Side + 2, Channels = 32, Images = 4;

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weight,
                       float *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int To = blockIdx.z % Channels, Image = blockIdx.z / Channels;
  float Sum = 0;
  for (int From = 0; From < Channels; ++From)
    for (int V = 0; V < 3; ++V)
      for (int U = 0; U < 3; ++U)
        Sum += Weight[(To * Channels + From) * 9 + V * 3 + U] *
               In[((Image * Channels + From) * Pitch + Y + V) * Pitch + X + U];
  Out[((Image * Channels + To) * Side + Y) * Side + X] = fmaxf(Sum, 0);
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Weight,
                      float *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int To = blockIdx.z % (Channels / 8) * 8,
            Image = blockIdx.z / (Channels / 8);
  float Sums[8] = {};
  for (int From = 0; From < Channels; ++From)
    for (int V = 0; V < 3; ++V)
      for (int U = 0; U < 3; ++U) {
        const float Pixel =
            In[((Image * Channels + From) * Pitch + Y + V) * Pitch + X + U];
        for (int I = 0; I < 8; ++I)
          Sums[I] +=
              Weight[((To + I) * Channels + From) * 9 + V * 3 + U] * Pixel;
      }
  for (int I = 0; I < 8; ++I)
    Out[((Image * Channels + To + I) * Side + Y) * Side + X] =
        fmaxf(Sums[I], 0);
}

int main() {
  constexpr int All = Images * Channels * Side * Side;
  const float *In = input<float>(Images * Channels * Pitch * Pitch),
              *Weight = input<float>(Channels * Channels * 9);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("convolution-eight-channels");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8, Images * Channels), dim3(32, 8)>>>(
          In, Weight, Expected);
    else
      after<<<dim3(Side / 32, Side / 8, Images * Channels / 8), dim3(32, 8)>>>(
          In, Weight, Out);
}
