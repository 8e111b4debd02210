// Rule: cuda-memory-bank-conflict
// Cuts the differences of a series of samples into planes of bits, 32 samples
// at a time, as compressors do before they drop the empty planes. The warp
// turns its 32x32 bits through shared memory, or by votes.
#include "Pair.cuh"

constexpr int Samples = 1 << 24, Threads = 256;

__device__ inline unsigned zigzag(const int *In, int I) {
  const int Delta = I > 0 ? In[I] - In[I - 1] : In[0];
  return unsigned(Delta) << 1 ^ unsigned(Delta >> 31);
}

__device__ inline void finish(unsigned Plane, int I, unsigned *Planes,
                              uint8_t *Used) {
  Planes[I] = Plane;
  const unsigned Mask = __ballot_sync(~0u, Plane != 0);
  if (I % 32 == 0)
    Used[I / 32] = 32 - __clz(Mask);
}

__global__ void before(const int *__restrict__ In,
                       unsigned *__restrict__ Planes,
                       uint8_t *__restrict__ Used) {
  __shared__ unsigned Buffer[Threads];
  const int I = blockIdx.x * Threads + threadIdx.x;
  const int Lane = threadIdx.x % 32;
  Buffer[threadIdx.x] = zigzag(In, I);
  __syncwarp();
  const unsigned *Row = Buffer + threadIdx.x - Lane;
  unsigned Plane = 0;
#pragma unroll
  for (int K = 0; K < 32; ++K)
    Plane |= (Row[K] >> Lane & 1) << K;
  finish(Plane, I, Planes, Used);
}

__global__ void after(const int *__restrict__ In, unsigned *__restrict__ Planes,
                      uint8_t *__restrict__ Used) {
  const int I = blockIdx.x * Threads + threadIdx.x;
  const int Lane = threadIdx.x % 32;
  const unsigned Value = zigzag(In, I);
  unsigned Plane = 0;
#pragma unroll
  for (int K = 0; K < 32; ++K) {
    const unsigned Vote = __ballot_sync(~0u, Value >> K & 1);
    if (Lane == K)
      Plane = Vote;
  }
  finish(Plane, I, Planes, Used);
}

int main() {
  std::vector<int> Host(Samples);
  for (int I = 0, Level = 0; I < Samples; ++I)
    Host[I] = Level += int(mixed(I) % 2001) - 1000;
  const int *In = onDevice(Host);
  unsigned *Expected = output<unsigned>(Samples),
           *Out = output<unsigned>(Samples);
  uint8_t *ExpectedUsed = output<uint8_t>(Samples / 32);
  uint8_t *Used = output<uint8_t>(Samples / 32);
  Pair P("bitplanes-by-ballot");
  P.same(Expected, Out, Samples);
  P.same(ExpectedUsed, Used, Samples / 32);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples / Threads, Threads>>>(In, Expected, ExpectedUsed);
    else
      after<<<Samples / Threads, Threads>>>(In, Out, Used);
}
