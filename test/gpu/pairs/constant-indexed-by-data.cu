// Rule: cuda-memory-constant-nonuniform
// A table of 256 colours in constant memory, looked up by pixel, or in global
// memory.
// Options: --buffer=In=random,count=4194304,below=256
#include "Pair.cuh"

constexpr int N = 1 << 22;

__constant__ float Colours[256];

__global__ void before(const unsigned *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Colours[In[I]];
}

__global__ void after(const unsigned *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Table[In[I]];
}

int main() {
  const unsigned *In = input<unsigned>(N, 256);
  const float *Table = input<float>(256);
  must(cudaMemcpyToSymbol(Colours, Table, 256 * sizeof(float), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("constant-indexed-by-data");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Table, Out);
}
