// Rule: cuda-memory-atomic-contention
// The smallest of many numbers by one atomic each, or by one of each warp.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const unsigned *In, unsigned *Least) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(&Least[blockIdx.y], In[I] + 7);
}

__global__ void after(const unsigned *In, unsigned *Least) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Mine = In[I] + 7;
  Mine = __reduce_min_sync(0xffffffff, Mine);
  if (threadIdx.x % 32 == 0)
    atomicMin(&Least[blockIdx.y], Mine);
}

int main() {
  const unsigned *In = input<unsigned>(N, 1000000);
  const std::vector<unsigned> High(1, 0xffffffffu);
  unsigned *Expected = onDevice(High), *Out = onDevice(High);
  Pair P("atomic-minimum");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
