// Rule: cuda-memory-missing-reuse
// How often two variants of a genome occur together, for all pairs of 1024
// variants: bits of 4096 people from global memory, or by tiles in shared
// memory.
#include "Pair.cuh"

constexpr int Variants = 1024, Words = 128;

__global__ void before(const uint32_t *__restrict__ Bits,
                       int *__restrict__ Both) {
  const int A = blockIdx.y * 16 + threadIdx.y,
            B = blockIdx.x * 16 + threadIdx.x;
  int Count = 0;
  for (int W = 0; W < Words; ++W)
    Count += __popc(Bits[W * Variants + A] & Bits[W * Variants + B]);
  Both[A * Variants + B] = Count;
}

__global__ void after(const uint32_t *__restrict__ Bits,
                      int *__restrict__ Both) {
  __shared__ uint32_t As[16][16], Bs[16][16];
  const int A = blockIdx.y * 16 + threadIdx.y,
            B = blockIdx.x * 16 + threadIdx.x;
  int Count = 0;
  for (int W = 0; W < Words; W += 16) {
    const uint32_t *Row = Bits + (W + threadIdx.y) * Variants + threadIdx.x;
    As[threadIdx.y][threadIdx.x] = Row[blockIdx.y * 16];
    Bs[threadIdx.y][threadIdx.x] = Row[blockIdx.x * 16];
    __syncthreads();
    for (int I = 0; I < 16; ++I)
      Count += __popc(As[I][threadIdx.y] & Bs[I][threadIdx.x]);
    __syncthreads();
  }
  Both[A * Variants + B] = Count;
}

int main() {
  const uint32_t *Bits = input<uint32_t>(Variants * Words, ~0u);
  constexpr int All = Variants * Variants;
  int *Expected = output<int>(All), *Out = output<int>(All);
  Pair P("linkage-popcount-tiled");
  P.same(Expected, Out, All);
  const dim3 Grid(Variants / 16, Variants / 16), Block(16, 16);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Bits, Expected);
    else
      after<<<Grid, Block>>>(Bits, Out);
}
