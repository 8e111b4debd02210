// Rule: cuda-memory-none
// Channels of images change places between groups: a thread finds image,
// channel and pixel by three divisions by what arguments say, or they are the
// numbers of its block.
#include "Pair.cuh"

constexpr int Images = 16, Groups = 4, Channels = 64, Pixels = 56 * 56;
constexpr int All = Images * Channels * Pixels;

__global__ void before(const float *In, float *Out, int GroupCount,
                       int ChannelCount, int PixelCount) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Pixel = I % PixelCount, Channel = I / PixelCount % ChannelCount,
            Image = I / PixelCount / ChannelCount;
  const int From =
      Channel % GroupCount * (ChannelCount / GroupCount) + Channel / GroupCount;
  Out[I] = In[(Image * ChannelCount + From) * PixelCount + Pixel];
}

__global__ void after(const float *In, float *Out, int GroupCount,
                      int ChannelCount, int PixelCount) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int Channel = blockIdx.y, Image = blockIdx.z;
  const int From =
      Channel % GroupCount * (ChannelCount / GroupCount) + Channel / GroupCount;
  Out[(Image * ChannelCount + Channel) * PixelCount + Pixel] =
      In[(Image * ChannelCount + From) * PixelCount + Pixel];
}

int main() {
  const float *In = input<float>(All);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("channels-shuffled-by-grid");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<All / 224, 224>>>(In, Expected, Groups, Channels, Pixels);
    else
      after<<<dim3(Pixels / 224, Channels, Images), 224>>>(In, Out, Groups,
                                                           Channels, Pixels);
}
