// Rule: cuda-memory-narrow-access
// A 16-bit sample per thread, or two.
#include "Pair.cuh"

constexpr int N = 1 << 25;

__global__ void before(const short *In, short *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] / 2;
}

__global__ void after(const short2 *In, short2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const short2 V = In[I];
  Out[I] = make_short2(V.x / 2, V.y / 2);
}

int main() {
  const short *In = input<short>(N, 30000);
  short *Expected = output<short>(N), *Out = output<short>(N);
  Pair P("narrow-short");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 512, 256>>>((const short2 *)In, (short2 *)Out);
}
