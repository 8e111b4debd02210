// Rule: cuda-memory-needless-staging
// A window of 33 values, staged in shared memory or read as it is: L1 serves
// it, but at addresses that straddle two lines. To leave the staging out costs.
#include "Pair.cuh"

constexpr int N = 1 << 22, Radius = 16;

__global__ void before(const float *In, float *Out) {
  __shared__ float Window[256 + 2 * Radius];
  const int T = threadIdx.x, Start = blockIdx.x * 256;
  Window[T] = In[Start + T];
  if (T < 2 * Radius)
    Window[256 + T] = In[Start + 256 + T];
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I <= 2 * Radius; ++I)
    Sum += Window[T + I];
  Out[Start + T] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J <= 2 * Radius; ++J)
    Sum += In[I + J];
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(N + 2 * Radius);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("staging-that-l1-serves");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
