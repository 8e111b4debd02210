// Rule: cuda-memory-atomic-contention
// The smallest of many numbers by one atomic each; as advised, the block finds
// its smallest by shuffles and shared memory, and makes one atomic.
#include "../Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const unsigned *In, unsigned *Least) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(&Least[blockIdx.y], In[I] + 7);
}

__global__ void after(const unsigned *In, unsigned *Least) {
  __shared__ unsigned OfWarp[8];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  unsigned Mine = In[I] + 7;
#pragma unroll
  for (int Step = 16; Step > 0; Step /= 2)
    Mine = min(Mine, __shfl_down_sync(0xffffffff, Mine, Step));
  if (Lane == 0)
    OfWarp[Warp] = Mine;
  __syncthreads();
  if (Warp > 0)
    return;
  Mine = OfWarp[Lane % 8];
#pragma unroll
  for (int Step = 4; Step > 0; Step /= 2)
    Mine = min(Mine, __shfl_down_sync(0xffffffff, Mine, Step));
  if (Lane == 0)
    atomicMin(&Least[blockIdx.y], Mine);
}

int main() {
  const unsigned *In = input<unsigned>(N, 1000000);
  const std::vector<unsigned> High(1, 0xffffffffu);
  unsigned *Expected = onDevice(High), *Out = onDevice(High);
  Pair P("atomic-minimum-as-advised");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
