// Rule: cuda-memory-narrow-access
// A histogram of evenly spread bytes in each block's shared memory; as
// advised, each thread loads four neighbouring bytes as one uchar4.
// Options: --buffer=In=random,count=8388608,below=256
#include "../Pair.cuh"

constexpr int N = 1 << 23, Blocks = 528;

__global__ void before(const unsigned char *In, unsigned *All) {
  __shared__ unsigned Mine[256];
  Mine[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += Blocks * 256)
    atomicAdd(&Mine[In[I]], 1);
  __syncthreads();
  atomicAdd(&All[threadIdx.x], Mine[threadIdx.x]);
}

__global__ void after(const uchar4 *In, unsigned *All) {
  __shared__ unsigned Mine[256];
  Mine[threadIdx.x] = 0;
  __syncthreads();
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N / 4; I += Blocks * 256) {
    const uchar4 Four = In[I];
    atomicAdd(&Mine[Four.x], 1);
    atomicAdd(&Mine[Four.y], 1);
    atomicAdd(&Mine[Four.z], 1);
    atomicAdd(&Mine[Four.w], 1);
  }
  __syncthreads();
  atomicAdd(&All[threadIdx.x], Mine[threadIdx.x]);
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  unsigned *Expected = output<unsigned>(256), *Out = output<unsigned>(256);
  Pair P("histogram-per-warp-as-advised");
  P.same(Expected, Out, 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>((const uchar4 *)In, Out);
}
