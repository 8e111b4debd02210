// Rule: cuda-memory-missing-restrict
// Each thread writes eight results of one filter. The taps are loaded again
// for each of them, since a result may be a tap.
#include "Pair.cuh"

constexpr int N = 1 << 21, Taps = 9, Each = 8;

__global__ void before(const float *In, const float *Tap, float *Out) {
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) * Each;
  if (I + Each + Taps > N)
    return;
  for (int J = 0; J < Each; ++J) {
    float Sum = 0;
    for (int K = 0; K < Taps; ++K)
      Sum += Tap[K] * In[I + J + K];
    Out[I + J] = Sum;
  }
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Tap, float *__restrict__ Out) {
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) * Each;
  if (I + Each + Taps > N)
    return;
  for (int J = 0; J < Each; ++J) {
    float Sum = 0;
    for (int K = 0; K < Taps; ++K)
      Sum += Tap[K] * In[I + J + K];
    Out[I + J] = Sum;
  }
}

int main() {
  const float *In = input<float>(N), *Tap = input<float>(Taps);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("restrict-taps");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Each / 128, 128>>>(In, Tap, Expected);
    else
      after<<<N / Each / 128, 128>>>(In, Tap, Out);
}
