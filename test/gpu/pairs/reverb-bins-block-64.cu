// Rule: ?
// Partitioned convolution of a reverb: the spectra of the last 48 blocks of
// sound times those of 32 impulse responses, a thread for a bin and a channel.
// Blocks of 256 threads are too few for the GPU, blocks of 64 spread.
#include "Pair.cuh"

constexpr int Bins = 512, Channels = 32, Partitions = 48, Newest = 17;

__device__ float2 times(float2 A, float2 B) {
  return make_float2(A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x);
}

__global__ void before(const float2 *__restrict__ History,
                       const float2 *__restrict__ Response,
                       float2 *__restrict__ Spectrum) {
  const int Bin = blockIdx.x * blockDim.x + threadIdx.x;
  const int Channel = blockIdx.y;
  float2 Sum = {0, 0};
  int Slot = Newest;
  for (int Part = 0; Part < Partitions; ++Part) {
    const float2 Sound = History[Slot * Bins + Bin];
    const float2 Room = Response[(Channel * Partitions + Part) * Bins + Bin];
    // Bin 0 holds the real numbers of frequency zero and of the highest.
    const float2 Product = Bin == 0
                               ? make_float2(Sound.x * Room.x, Sound.y * Room.y)
                               : times(Sound, Room);
    Sum.x += Product.x;
    Sum.y += Product.y;
    Slot = Slot == 0 ? Partitions - 1 : Slot - 1;
  }
  Spectrum[Channel * Bins + Bin] = Sum;
}

__global__ void after(const float2 *__restrict__ History,
                      const float2 *__restrict__ Response,
                      float2 *__restrict__ Spectrum) {
  const int Bin = blockIdx.x * blockDim.x + threadIdx.x;
  const int Channel = blockIdx.y;
  float2 Sum = {0, 0};
  int Slot = Newest;
  for (int Part = 0; Part < Partitions; ++Part) {
    const float2 Sound = History[Slot * Bins + Bin];
    const float2 Room = Response[(Channel * Partitions + Part) * Bins + Bin];
    const float2 Product = Bin == 0
                               ? make_float2(Sound.x * Room.x, Sound.y * Room.y)
                               : times(Sound, Room);
    Sum.x += Product.x;
    Sum.y += Product.y;
    Slot = Slot == 0 ? Partitions - 1 : Slot - 1;
  }
  Spectrum[Channel * Bins + Bin] = Sum;
}

int main() {
  const float *History = input<float>(2 * Partitions * Bins),
              *Response = input<float>(2 * Channels * Partitions * Bins);
  float *Expected = output<float>(2 * Channels * Bins),
        *Out = output<float>(2 * Channels * Bins);
  Pair P("reverb-bins-block-64");
  P.same(Expected, Out, 2 * Channels * Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Bins / 256, Channels), 256>>>((const float2 *)History,
                                                  (const float2 *)Response,
                                                  (float2 *)Expected);
    else
      after<<<dim3(Bins / 64, Channels), 64>>>((const float2 *)History,
                                               (const float2 *)Response,
                                               (float2 *)Out);
}
