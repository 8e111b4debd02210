// Rule: cuda-memory-narrow-access
// Lines of a text are counted, a byte at a time or sixteen.
#include "Pair.cuh"

constexpr int Bytes = 1 << 25, Blocks = 1056;

__device__ void addUp(unsigned Mine, unsigned *Lines) {
  __shared__ unsigned Sum;
  if (threadIdx.x == 0)
    Sum = 0;
  __syncthreads();
  for (int Step = 16; Step > 0; Step /= 2)
    Mine += __shfl_down_sync(~0u, Mine, Step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Sum, Mine);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(Lines, Sum);
}

__global__ void before(const unsigned char *Text, unsigned *Lines) {
  unsigned Mine = 0;
  for (int I = blockIdx.x * 256 + threadIdx.x; I < Bytes; I += Blocks * 256)
    Mine += Text[I] == '\n';
  addUp(Mine, Lines);
}

__device__ unsigned newlines(unsigned Word) {
  return __popc(__vcmpeq4(Word, 0x0a0a0a0a)) / 8;
}

__global__ void after(const uint4 *Text, unsigned *Lines) {
  unsigned Mine = 0;
  for (int I = blockIdx.x * 256 + threadIdx.x; I < Bytes / 16;
       I += Blocks * 256) {
    const uint4 V = Text[I];
    Mine += newlines(V.x) + newlines(V.y) + newlines(V.z) + newlines(V.w);
  }
  addUp(Mine, Lines);
}

int main() {
  const unsigned char *Text = input<unsigned char>(Bytes, 64);
  unsigned *Expected = output<unsigned>(1), *Out = output<unsigned>(1);
  Pair P("count-newlines");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Text, Expected);
    else
      after<<<Blocks, 256>>>((const uint4 *)Text, Out);
}
