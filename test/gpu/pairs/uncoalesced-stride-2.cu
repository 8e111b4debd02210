// Rule: cuda-memory-uncoalesced-access
// Every second element is read: half of each sector is for nothing.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[2 * I];
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

int main() {
  const float *In = input<float>(2 * N);
  const float *Packed = arranged(In, 2 * N, N, [](size_t I) { return 2 * I; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("uncoalesced-stride-2");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(Packed, Out);
}
