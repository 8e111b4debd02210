// Rule: cuda-memory-uncoalesced-access
// A transpose has one scattered side. Blocks that read down columns and store
// rows leave the sectors' rest to L1; stores have nothing like it.
#include "Pair.cuh"

constexpr int N = 4096;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  Out[X * N + Y] = In[Y * N + X];
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  Out[Y * N + X] = In[X * N + Y];
}

int main() {
  const float *In = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("scattered-load-transpose");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Out);
}
