// Rule: cuda-memory-constant-nonuniform
// Gamma of the three colours of a pixel by a table of 256 entries, in constant
// memory or copied to shared memory by each block.
// Options: --buffer=In=random,count=1048576,below=4294967295
#include "Pair.cuh"

constexpr int N = 1 << 20, Blocks = 264;

__constant__ unsigned Gamma[256];

__global__ void before(const unsigned *In, unsigned *Out) {
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N; I += Blocks * 512) {
    const unsigned Pixel = In[I];
    Out[I] = Gamma[Pixel & 255] | Gamma[Pixel >> 8 & 255] << 8 |
             Gamma[Pixel >> 16 & 255] << 16 | (Pixel & 0xff000000);
  }
}

__global__ void after(const unsigned *In, const unsigned *Table,
                      unsigned *Out) {
  __shared__ unsigned Gamma[256];
  if (threadIdx.x < 256)
    Gamma[threadIdx.x] = Table[threadIdx.x];
  __syncthreads();
  for (int I = blockIdx.x * 512 + threadIdx.x; I < N; I += Blocks * 512) {
    const unsigned Pixel = In[I];
    Out[I] = Gamma[Pixel & 255] | Gamma[Pixel >> 8 & 255] << 8 |
             Gamma[Pixel >> 16 & 255] << 16 | (Pixel & 0xff000000);
  }
}

int main() {
  const unsigned *In = input<unsigned>(N, 0xffffffff),
                 *Table = input<unsigned>(256, 256);
  must(cudaMemcpyToSymbol(Gamma, Table, 256 * sizeof(unsigned), 0,
                          cudaMemcpyDeviceToDevice));
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("gamma-of-pixels");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 512>>>(In, Expected);
    else
      after<<<Blocks, 512>>>(In, Table, Out);
}
