// Rule: cuda-memory-atomic-contention
// The largest of many integers: each lane asks for one word of global memory,
// or each block once.
#include "Pair.cuh"

constexpr int N = 1 << 19;

__global__ void before(const int *In, int *Most) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(Most, In[I]);
}

__global__ void after(const int *In, int *Most) {
  __shared__ int Part[512];
  const int T = threadIdx.x;
  Part[T] = In[blockIdx.x * 512 + T];
  __syncthreads();
  for (int Step = 256; Step > 0; Step /= 2) {
    if (T < Step)
      Part[T] = max(Part[T], Part[T + Step]);
    __syncthreads();
  }
  if (T == 0)
    atomicMax(Most, Part[0]);
}

int main() {
  const int *In = input<int>(N, 1 << 30);
  int *Expected = output<int>(1), *Out = output<int>(1);
  Pair P("maximum-one-word");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(In, Expected);
    else
      after<<<N / 512, 512>>>(In, Out);
}
