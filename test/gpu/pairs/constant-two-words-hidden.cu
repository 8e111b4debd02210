// Rule: cuda-memory-constant-nonuniform
// Two words a request, in a kernel that waits for DRAM.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__constant__ float Scales[2];

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] * Scales[I & 1];
}

__global__ void after(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] * Table[I & 1];
}

int main() {
  const float *In = input<float>(N), *Table = input<float>(2);
  must(cudaMemcpyToSymbol(Scales, Table, 2 * sizeof(float), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("constant-two-words-hidden");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Table, Out);
}
