// Rule: cuda-memory-idle-lanes
// A block's sum of doubles: threads whose number is a multiple of a growing
// step work on, or the first ones.
#include "Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const double *In, double *Sums) {
  __shared__ double Part[512];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 512 + T];
  __syncthreads();
  for (int Step = 1; Step < 512; Step *= 2) {
    if (T % (2 * Step) == 0)
      Part[T] += Part[T + Step];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Part[0];
}

__global__ void after(const double *In, double *Sums) {
  __shared__ double Part[512];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 512 + T];
  __syncthreads();
  for (int Step = 256; Step > 0; Step /= 2) {
    if (T < Step)
      Part[T] += Part[T + Step];
    __syncthreads();
  }
  if (T == 0)
    Sums[blockIdx.x] = Part[0];
}

int main() {
  const double *In = input<double>(N);
  double *Expected = output<double>(N / 512), *Out = output<double>(N / 512);
  Pair P("reduction-modulo-double");
  P.same(Expected, Out, N / 512);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(In, Expected);
    else
      after<<<N / 512, 512>>>(In, Out);
}
