// Rule: cuda-memory-misaligned
// A stream that begins 4 bytes off: five sectors where four would do, and the
// fifth is the neighbour's first.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I + 1];
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I];
}

int main() {
  const float *In = input<float>(N + 1);
  const float *Moved = arranged(In, N + 1, N, [](size_t I) { return I + 1; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("misaligned-by-one");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(Moved, Out);
}
