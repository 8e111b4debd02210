// Rule: cuda-memory-local-array
// A moving average of each channel keeps its last samples in a ring, private or
// in shared memory; how many is an argument, up to sixteen. The compiler has
// the private one in registers and selects.
#include "Pair.cuh"

constexpr int Channels = 1 << 16, Steps = 256, Most = 16;

__global__ void before(const float *In, float *Out, int Taps) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  float Ring[Most] = {}, Sum = 0;
  int At = 0;
  for (int S = 0; S < Steps; ++S) {
    const float X = In[S * Channels + I];
    Sum += X - Ring[At];
    Ring[At] = X;
    At = At + 1 < Taps ? At + 1 : 0;
    Out[S * Channels + I] = Sum / Taps;
  }
}

__global__ void after(const float *In, float *Out, int Taps) {
  __shared__ float Ring[Most][128];
  const int T = threadIdx.x, I = blockIdx.x * 128 + T;
  for (int K = 0; K < Most; ++K)
    Ring[K][T] = 0;
  float Sum = 0;
  int At = 0;
  for (int S = 0; S < Steps; ++S) {
    const float X = In[S * Channels + I];
    Sum += X - Ring[At][T];
    Ring[At][T] = X;
    At = At + 1 < Taps ? At + 1 : 0;
    Out[S * Channels + I] = Sum / Taps;
  }
}

int main() {
  const float *In = input<float>(Steps * Channels);
  float *Expected = output<float>(Steps * Channels),
        *Out = output<float>(Steps * Channels);
  Pair P("moving-average-ring");
  P.same(Expected, Out, Steps * Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels / 128, 128>>>(In, Expected, 12);
    else
      after<<<Channels / 128, 128>>>(In, Out, 12);
}
