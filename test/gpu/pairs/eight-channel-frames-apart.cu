// Rule: cuda-memory-bank-conflict
// Interleaved sound of eight channels is taken apart through shared memory: a
// channel's samples lie eight words apart, which is eight passes, or the tile
// has a word of padding after each 32. DRAM takes longer than either.
#include "Pair.cuh"

constexpr int Channels = 8, Frames = 2 << 20, Block = 256;

__global__ void before(const float *__restrict__ Interleaved,
                       float *__restrict__ Planes, int FrameCount) {
  extern __shared__ float Tile[];
  const int First = blockIdx.x * Block;
  for (int I = threadIdx.x; I < Block * Channels; I += Block)
    Tile[I] = Interleaved[size_t(First) * Channels + I];
  __syncthreads();
#pragma unroll
  for (int C = 0; C < Channels; ++C)
    Planes[size_t(C) * FrameCount + First + threadIdx.x] =
        Tile[threadIdx.x * Channels + C];
}

__device__ int padded(int I) { return I + I / 32; }

__global__ void after(const float *__restrict__ Interleaved,
                      float *__restrict__ Planes, int FrameCount) {
  extern __shared__ float Tile[];
  const int First = blockIdx.x * Block;
  for (int I = threadIdx.x; I < Block * Channels; I += Block)
    Tile[padded(I)] = Interleaved[size_t(First) * Channels + I];
  __syncthreads();
#pragma unroll
  for (int C = 0; C < Channels; ++C)
    Planes[size_t(C) * FrameCount + First + threadIdx.x] =
        Tile[padded(threadIdx.x * Channels + C)];
}

int main() {
  constexpr size_t Count = size_t(Channels) * Frames;
  const float *In = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("eight-channel-frames-apart");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / Block, Block, Block * Channels * 4>>>(In, Expected,
                                                              Frames);
    else
      after<<<Frames / Block, Block, (Block * Channels + 64) * 4>>>(In, Out,
                                                                    Frames);
}
