// Rule: cuda-memory-missing-reuse
// The power at many frequencies, one a thread, of the same 4096 samples: each
// is loaded by all at once, from L1 or from a copy in shared memory.
#include "Pair.cuh"

constexpr int Blocks = 528, Frequencies = Blocks * 256, Samples = 4096;

__global__ void before(const float *In, const float *Factor, float *Power) {
  const int F = blockIdx.x * 256 + threadIdx.x;
  const float Turn = Factor[F];
  float Last = 0, Now = 0;
  for (int S = 0; S < Samples; ++S) {
    const float Next = In[S] + Turn * Now - Last;
    Last = Now;
    Now = Next;
  }
  Power[F] = Now * Now + Last * Last - Turn * Now * Last;
}

__global__ void after(const float *In, const float *Factor, float *Power) {
  __shared__ float Mine[Samples];
  for (int S = threadIdx.x; S < Samples; S += 256)
    Mine[S] = In[S];
  __syncthreads();
  const int F = blockIdx.x * 256 + threadIdx.x;
  const float Turn = Factor[F];
  float Last = 0, Now = 0;
  for (int S = 0; S < Samples; ++S) {
    const float Next = Mine[S] + Turn * Now - Last;
    Last = Now;
    Now = Next;
  }
  Power[F] = Now * Now + Last * Last - Turn * Now * Last;
}

int main() {
  const float *In = input<float>(Samples), *Factor = input<float>(Frequencies);
  float *Expected = output<float>(Frequencies),
        *Out = output<float>(Frequencies);
  Pair P("goertzel-samples-shared");
  P.same(Expected, Out, Frequencies);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Factor, Expected);
    else
      after<<<Blocks, 256>>>(In, Factor, Out);
}
