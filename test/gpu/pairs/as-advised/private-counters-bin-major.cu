// Rule: cuda-memory-narrow-access
// Each of 64 threads counts 64 kinds of events in shared memory for itself. As
// advised, it reads four neighbouring events as one uchar4, in four times fewer
// rounds.
#include "../Pair.cuh"

constexpr int Blocks = 1056, Threads = 64, Kinds = 64, Each = 256;

__global__ void before(const uint8_t *Events, int *Counts) {
  __shared__ int Mine[Threads * Kinds];
  const int T = threadIdx.x;
  for (int I = T; I < Threads * Kinds; I += Threads)
    Mine[I] = 0;
  __syncthreads();
  for (int I = 0; I < Each; ++I)
    ++Mine[T * Kinds + Events[(blockIdx.x * Each + I) * Threads + T]];
  __syncthreads();
  int Sum = 0;
  for (int Of = 0; Of < Threads; ++Of)
    Sum += Mine[Of * Kinds + T];
  Counts[blockIdx.x * Kinds + T] = Sum;
}

__global__ void after(const uchar4 *Events, int *Counts) {
  __shared__ int Mine[Threads * Kinds];
  const int T = threadIdx.x;
  for (int I = T; I < Threads * Kinds; I += Threads)
    Mine[I] = 0;
  __syncthreads();
  for (int I = 0; I < Each / 4; ++I) {
    const uchar4 Four = Events[(blockIdx.x * (Each / 4) + I) * Threads + T];
    ++Mine[T * Kinds + Four.x];
    ++Mine[T * Kinds + Four.y];
    ++Mine[T * Kinds + Four.z];
    ++Mine[T * Kinds + Four.w];
  }
  __syncthreads();
  int Sum = 0;
  for (int Of = 0; Of < Threads; ++Of)
    Sum += Mine[Of * Kinds + T];
  Counts[blockIdx.x * Kinds + T] = Sum;
}

int main() {
  const uint8_t *Events = input<uint8_t>(Blocks * Threads * Each, Kinds);
  int *Expected = output<int>(Blocks * Kinds),
      *Out = output<int>(Blocks * Kinds);
  Pair P("private-counters-bin-major-as-advised");
  P.same(Expected, Out, Blocks * Kinds);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Events, Expected);
    else
      after<<<Blocks, Threads>>>((const uchar4 *)Events, Out);
}
