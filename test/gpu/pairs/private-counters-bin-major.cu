// Rule: cuda-memory-bank-conflict
// Each of 64 threads counts 64 kinds of events in shared memory for itself:
// the counters of a thread lie together, or those of a kind.
#include "Pair.cuh"

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

__global__ void after(const uint8_t *Events, int *Counts) {
  __shared__ int Mine[Threads * Kinds];
  const int T = threadIdx.x;
  for (int I = T; I < Threads * Kinds; I += Threads)
    Mine[I] = 0;
  __syncthreads();
  for (int I = 0; I < Each; ++I)
    ++Mine[Events[(blockIdx.x * Each + I) * Threads + T] * Threads + T];
  __syncthreads();
  int Sum = 0;
  for (int Of = 0; Of < Threads; ++Of)
    Sum += Mine[T * Threads + (Of + T) % Threads];
  Counts[blockIdx.x * Kinds + T] = Sum;
}

int main() {
  const uint8_t *Events = input<uint8_t>(Blocks * Threads * Each, Kinds);
  int *Expected = output<int>(Blocks * Kinds),
      *Out = output<int>(Blocks * Kinds);
  Pair P("private-counters-bin-major");
  P.same(Expected, Out, Blocks * Kinds);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Events, Expected);
    else
      after<<<Blocks, Threads>>>(Events, Out);
}
