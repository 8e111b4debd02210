// Rule: cuda-memory-bank-conflict
// A block's sum: neighbours first, so that strides and conflicts grow, or
// halves first.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const float *In, float *Sums) {
  __shared__ float Part[256];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 256 + T];
  __syncthreads();
  for (int Step = 1; Step < 256; Step *= 2) {
    const int At = 2 * Step * T;
    if (At < 256)
      Part[At] += Part[At + Step];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Part[0];
}

__global__ void after(const float *In, float *Sums) {
  __shared__ float Part[256];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 256 + T];
  __syncthreads();
  for (int Step = 128; Step > 0; Step /= 2) {
    if (T < Step)
      Part[T] += Part[T + Step];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Part[0];
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N / 256), *Out = output<float>(N / 256);
  Pair P("bank-reduction");
  P.same(Expected, Out, N / 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
