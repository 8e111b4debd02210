// Rule: cuda-memory-early-reduction
// The loudest sample of each stretch of a recording: a thread looks at one
// sample before the warps put together the greatest by shuffles, or at eight
// before an eighth of the threads do.
#include "Pair.cuh"

constexpr int Samples = 1 << 24, Stretch = 1024, Each = 8;

template <int Threads> __device__ float greatestOfBlock(float Mine) {
  __shared__ float Greatest[Threads / 32];
  for (int Far = 16; Far > 0; Far /= 2)
    Mine = fmaxf(Mine, __shfl_xor_sync(0xffffffff, Mine, Far));
  if (threadIdx.x % 32 == 0)
    Greatest[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    Mine = threadIdx.x < Threads / 32 ? Greatest[threadIdx.x] : 0;
    for (int Far = 16; Far > 0; Far /= 2)
      Mine = fmaxf(Mine, __shfl_xor_sync(0xffffffff, Mine, Far));
  }
  return Mine;
}

__global__ void before(const float *__restrict__ Sample,
                       float *__restrict__ Loudest) {
  const float Mine =
      greatestOfBlock<Stretch>(fabsf(Sample[blockIdx.x * Stretch + threadIdx.x]));
  if (threadIdx.x == 0)
    Loudest[blockIdx.x] = Mine;
}

__global__ void after(const float *__restrict__ Sample,
                      float *__restrict__ Loudest) {
  constexpr int Threads = Stretch / Each;
  float Mine = 0;
#pragma unroll
  for (int I = 0; I < Each; ++I)
    Mine = fmaxf(Mine, fabsf(Sample[blockIdx.x * Stretch + I * Threads +
                                    threadIdx.x]));
  Mine = greatestOfBlock<Threads>(Mine);
  if (threadIdx.x == 0)
    Loudest[blockIdx.x] = Mine;
}

int main() {
  const float *Sample = input<float>(Samples);
  float *Expected = output<float>(Samples / Stretch),
        *Out = output<float>(Samples / Stretch);
  Pair P("loudest-samples-elements-first");
  P.same(Expected, Out, Samples / Stretch);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples / Stretch, Stretch>>>(Sample, Expected);
    else
      after<<<Samples / Stretch, Stretch / Each>>>(Sample, Out);
}
