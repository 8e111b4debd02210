// Rule: cuda-memory-early-reduction
// How many pixels of a satellite image are clouds: a block counts its threads'
// votes, one pixel each, or sixteen each.
#include "Pair.cuh"

constexpr int Pixels = 1 << 24, Block = 256, Each = 16;

__device__ bool isCloud(float Bright) { return Bright > 0.6f; }

__global__ void before(const float *__restrict__ Bright,
                       int *__restrict__ Clouds) {
  const int Found =
      __syncthreads_count(isCloud(Bright[blockIdx.x * Block + threadIdx.x]));
  if (threadIdx.x == 0)
    atomicAdd(Clouds, Found);
}

__global__ void after(const float *__restrict__ Bright,
                      int *__restrict__ Clouds) {
  __shared__ int Found;
  if (threadIdx.x == 0)
    Found = 0;
  __syncthreads();
  int Mine = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < Pixels;
       I += gridDim.x * Block)
    Mine += isCloud(Bright[I]);
  Mine = __reduce_add_sync(0xffffffff, Mine);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Found, Mine);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(Clouds, Found);
}

int main() {
  const float *Bright = input<float>(Pixels);
  int *Expected = output<int>(1), *Out = output<int>(1);
  Pair P("clouds-counted-elements-first");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / Block, Block>>>(Bright, Expected);
    else
      after<<<Pixels / Block / Each, Block>>>(Bright, Out);
}
