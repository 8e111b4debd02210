// Rule: cuda-memory-missing-reuse
// Dot plot of two genomes: equal letters in a window of 16 at each pair of
// places. The letters that a block needs are read from global memory as they
// are, or staged in shared memory.
#include "Pair.cuh"

constexpr int Size = 4096, Window = 16, BlockX = 32, BlockY = 8;

__global__ void before(const char *__restrict__ First,
                       const char *__restrict__ Second,
                       unsigned char *__restrict__ Plot) {
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = blockIdx.y * BlockY + threadIdx.y;
  int Equal = 0;
#pragma unroll
  for (int K = 0; K < Window; ++K)
    Equal += First[X + K] == Second[Y + K];
  Plot[Y * Size + X] = Equal;
}

__global__ void after(const char *__restrict__ First,
                      const char *__restrict__ Second,
                      unsigned char *__restrict__ Plot) {
  __shared__ char Across[BlockX + Window], Down[BlockY + Window];
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = blockIdx.y * BlockY + threadIdx.y;
  const int T = threadIdx.y * BlockX + threadIdx.x;
  if (T < BlockX + Window)
    Across[T] = First[blockIdx.x * BlockX + T];
  else if (T - (BlockX + Window) < BlockY + Window)
    Down[T - (BlockX + Window)] =
        Second[blockIdx.y * BlockY + T - (BlockX + Window)];
  __syncthreads();
  int Equal = 0;
#pragma unroll
  for (int K = 0; K < Window; ++K)
    Equal += Across[threadIdx.x + K] == Down[threadIdx.y + K];
  Plot[Y * Size + X] = Equal;
}

int main() {
  const char *First = input<char>(Size + Window, 4),
             *Second = input<char>(2 * Size, 4) + Size / 2;
  unsigned char *Expected = output<unsigned char>(Size * Size),
                *Out = output<unsigned char>(Size * Size);
  Pair P("dot-plot-letters-staged");
  P.same(Expected, Out, Size * Size);
  const dim3 Grid(Size / BlockX, Size / BlockY), Block(BlockX, BlockY);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(First, Second, Expected);
    else
      after<<<Grid, Block>>>(First, Second, Out);
}
