// Rule: cuda-memory-register-spill
// Walks through a table of 128 MB, each step of which decides where the next
// is, with 26 sums of what is met: bounds that leave 32 registers, with which
// some of the sums spill, or more registers but fewer warps.
#include "Pair.cuh"

constexpr int Walks = 1 << 18, Places = 1 << 25, Steps = 12, Sums = 26;

__device__ void walk(const uint32_t *Next, uint32_t *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t At = T * 64, Sum[Sums];
#pragma unroll
  for (int I = 0; I < Sums; ++I)
    Sum[I] = T;
#pragma unroll 1
  for (int S = 0; S < Steps; ++S) {
    At = Next[At];
#pragma unroll
    for (int I = 0; I < Sums; ++I)
      Sum[I] = (Sum[I] ^ At >> I % 13) * (2 * I + 3);
  }
#pragma unroll
  for (int I = 0; I < Sums; ++I)
    Out[I * Walks + T] = Sum[I];
}

__global__ void __launch_bounds__(256, 8)
    before(const uint32_t *Next, uint32_t *Out) {
  walk(Next, Out);
}

__global__ void __launch_bounds__(256, 4)
    after(const uint32_t *Next, uint32_t *Out) {
  walk(Next, Out);
}

int main() {
  const uint32_t *Next = input<uint32_t>(Places, Places);
  uint32_t *Expected = output<uint32_t>(Walks * Sums),
           *Out = output<uint32_t>(Walks * Sums);
  Pair P("random-walks-spill-less");
  P.same(Expected, Out, Walks * Sums);
  while (P.next())
    if (P.beforesTurn())
      before<<<Walks / 256, 256>>>(Next, Expected);
    else
      after<<<Walks / 256, 256>>>(Next, Out);
}
