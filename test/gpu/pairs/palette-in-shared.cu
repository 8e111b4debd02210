// Rule: cuda-memory-gather
// Pixels of one byte become colours by a palette of 256 words, by way of L1 or
// from a copy in each block's shared memory.
// Options: --buffer=In=random,count=2097152,below=256
#include "Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const unsigned char *In, const unsigned *Palette,
                       unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Palette[In[I]];
}

__global__ void after(const unsigned char *In, const unsigned *Palette,
                      unsigned *Out) {
  __shared__ unsigned Copy[256];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Copy[threadIdx.x] = Palette[threadIdx.x];
  __syncthreads();
  Out[I] = Copy[In[I]];
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  const unsigned *Palette = input<unsigned>(256, 1 << 24);
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("palette-in-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Palette, Expected);
    else
      after<<<N / 256, 256>>>(In, Palette, Out);
}
