// Rule: cuda-memory-needless-staging
// Brightness of ultrasound echoes from their in-phase and quadrature parts, on
// a scale of decibels. Each sample is used once, by the thread that fetched it:
// the remedy drops the scan line's copy in shared memory.
#include "Pair.cuh"

constexpr int Line = 1024, Lines = 16384, Block = 256, N = Line * Lines;

__device__ unsigned char brightness(short2 Sample, float Gain) {
  const int Power = Sample.x * Sample.x + Sample.y * Sample.y + 1;
  return __saturatef(0.03f * Gain * __log2f(Power)) * 255.0f;
}

__global__ void before(const short2 *__restrict__ In,
                       const float *__restrict__ Gain,
                       unsigned char *__restrict__ Out) {
  __shared__ short2 Samples[Line];
  const int First = blockIdx.x * Line;
  for (int I = threadIdx.x; I < Line; I += Block)
    Samples[I] = In[First + I];
  __syncthreads();
  for (int I = threadIdx.x; I < Line; I += Block)
    Out[First + I] = brightness(Samples[I], Gain[I]);
}

__global__ void after(const short2 *__restrict__ In,
                      const float *__restrict__ Gain,
                      unsigned char *__restrict__ Out) {
  const int First = blockIdx.x * Line;
  for (int I = threadIdx.x; I < Line; I += Block)
    Out[First + I] = brightness(In[First + I], Gain[I]);
}

int main() {
  const short *In = input<short>(2 * N, 30000);
  const float *Gain = input<float>(Line);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("ultrasound-envelope-unstaged");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Lines, Block>>>((const short2 *)In, Gain, Expected);
    else
      after<<<Lines, Block>>>((const short2 *)In, Gain, Out);
}
