// Rule: cuda-memory-atomic-contention
// Weights of events, by their channel, of which there are 64: blocks add each event to
// the sums of all, or count their own in shared memory first.
#include "Pair.cuh"

constexpr int N = 1 << 22, Channels = 64, Each = 8;

__global__ void before(const unsigned char *Channel, const int *Weight, int *Sums) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  atomicAdd(&Sums[Channel[I] & (Channels - 1)], Weight[I] & 255);
}

__global__ void after(const unsigned char *Channel, const int *Weight, int *Sums) {
  __shared__ int Own[Channels];
  if (threadIdx.x < Channels)
    Own[threadIdx.x] = 0;
  __syncthreads();
  for (int Round = 0; Round < Each; ++Round) {
    const int I = (blockIdx.x * Each + Round) * 256 + threadIdx.x;
    atomicAdd(&Own[Channel[I] & (Channels - 1)], Weight[I] & 255);
  }
  __syncthreads();
  if (threadIdx.x < Channels)
    atomicAdd(&Sums[threadIdx.x], Own[threadIdx.x]);
}

int main() {
  const unsigned char *Channel = input<unsigned char>(N, 256);
  const int *Weight = input<int>(N);
  int *Expected = output<int>(Channels), *Out = output<int>(Channels);
  Pair P("bin-weights-few-bins");
  P.same(Expected, Out, Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Channel, Weight, Expected);
    else
      after<<<N / 256 / Each, 256>>>(Channel, Weight, Out);
}
