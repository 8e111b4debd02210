// Rule: cuda-memory-bank-conflict
// Frames of a 16-channel microphone array become a plane for each channel, by
// way of shared memory so that both loads and stores are coalesced. Reading a
// channel of frames of 16 words meets two banks; frames of 17 meet all. The
// padding of the matrix transpose (Ruetsch, Micikevicius).
#include "Pair.cuh"

constexpr int Frames = 3 << 18, Channels = 16, Tile = 64, Block = 256;

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       const float *__restrict__ Gain) {
  __shared__ float Samples[Tile * Channels];
  const int First = blockIdx.x * Tile;
  for (int I = threadIdx.x; I < Tile * Channels; I += Block)
    Samples[I] = In[size_t(First) * Channels + I];
  __syncthreads();
  for (int I = threadIdx.x; I < Tile * Channels; I += Block) {
    const int Channel = I / Tile, Frame = I % Tile;
    Out[size_t(Channel) * Frames + First + Frame] =
        Samples[Frame * Channels + Channel] * Gain[Channel];
  }
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      const float *__restrict__ Gain) {
  __shared__ float Samples[Tile * (Channels + 1)];
  const int First = blockIdx.x * Tile;
  for (int I = threadIdx.x; I < Tile * Channels; I += Block)
    Samples[I / Channels * (Channels + 1) + I % Channels] =
        In[size_t(First) * Channels + I];
  __syncthreads();
  for (int I = threadIdx.x; I < Tile * Channels; I += Block) {
    const int Channel = I / Tile, Frame = I % Tile;
    Out[size_t(Channel) * Frames + First + Frame] =
        Samples[Frame * (Channels + 1) + Channel] * Gain[Channel];
  }
}

int main() {
  constexpr size_t Count = size_t(Frames) * Channels;
  const float *In = input<float>(Count), *Gain = input<float>(Channels);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("microphone-frames-to-planes-padded");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / Tile, Block>>>(In, Expected, Gain);
    else
      after<<<Frames / Tile, Block>>>(In, Out, Gain);
}
