// Rule: cuda-memory-single-result
// A dilated convolution of a sound's 64 channels to 64 others, three taps each:
// a thread makes a sample of one channel, or of four from what it has read.
#include "Pair.cuh"

constexpr int Length = 1 << 15, Dilation = 4, Channels = 64, Taps = 3,
              Pitch = Length + 32;

// Weights[In][Tap][Out].
__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weights,
                       float *__restrict__ Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x, O = blockIdx.y;
  float Sum = 0;
  for (int C = 0; C < Channels; ++C)
#pragma unroll
    for (int K = 0; K < Taps; ++K)
      Sum += Weights[(C * Taps + K) * Channels + O] *
             In[C * Pitch + T + K * Dilation];
  Out[O * Length + T] = fmaxf(Sum, 0);
}

__global__ void after(const float *__restrict__ In,
                      const float4 *__restrict__ Weights,
                      float *__restrict__ Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x, O = blockIdx.y;
  float4 Sum = {};
  for (int C = 0; C < Channels; ++C)
#pragma unroll
    for (int K = 0; K < Taps; ++K) {
      const float4 W = Weights[(C * Taps + K) * (Channels / 4) + O];
      const float X = In[C * Pitch + T + K * Dilation];
      Sum.x += W.x * X;
      Sum.y += W.y * X;
      Sum.z += W.z * X;
      Sum.w += W.w * X;
    }
  Out[(4 * O + 0) * Length + T] = fmaxf(Sum.x, 0);
  Out[(4 * O + 1) * Length + T] = fmaxf(Sum.y, 0);
  Out[(4 * O + 2) * Length + T] = fmaxf(Sum.z, 0);
  Out[(4 * O + 3) * Length + T] = fmaxf(Sum.w, 0);
}

int main() {
  const float *In = input<float>(Channels * Pitch);
  const float *Weights = input<float>(Channels * Taps * Channels);
  float *Expected = output<float>(Channels * Length),
        *Out = output<float>(Channels * Length);
  Pair P("dilated-convolution-four-outputs");
  P.same(Expected, Out, Channels * Length);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Length / 256, Channels), 256>>>(In, Weights, Expected);
    else
      after<<<dim3(Length / 256, Channels / 4), 256>>>(
          In, (const float4 *)Weights, Out);
}
