// Rule: cuda-memory-uncoalesced-access
// Loudness of 2048 channels, each through a recursive filter by a thread: the
// samples of a channel lie behind each other, or those of a time together.
#include "Pair.cuh"

constexpr int Channels = 2048, Times = 2048;

struct Biquad {
  float B0, B1, B2, A1, A2;
};

__device__ float loudness(const float *In, int Step, int Times, Biquad F) {
  float First = 0, Second = 0, Sum = 0;
  for (int T = 0; T < Times; ++T) {
    const float X = In[T * Step];
    const float Y = F.B0 * X + First;
    First = F.B1 * X - F.A1 * Y + Second;
    Second = F.B2 * X - F.A2 * Y;
    Sum += Y * Y;
  }
  return Sum / Times;
}

__global__ void before(const float *__restrict__ In, int Times, Biquad F,
                       float *__restrict__ Out) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  Out[C] = loudness(In + C * Times, 1, Times, F);
}

__global__ void after(const float *__restrict__ In, int Times, Biquad F,
                      float *__restrict__ Out) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  Out[C] = loudness(In + C, Channels, Times, F);
}

int main() {
  const Biquad F = {1.5f, -2.6f, 1.2f, -1.6f, 0.7f};
  const float *In = input<float>(Channels * Times);
  const float *Turned =
      arranged(In, Channels * Times, Channels * Times, [](size_t I) {
        return I % Channels * Times + I / Channels;
      });
  float *Expected = output<float>(Channels), *Out = output<float>(Channels);
  Pair P("loudness-biquads-time-major");
  P.same(Expected, Out, Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels / 64, 64>>>(In, Times, F, Expected);
    else
      after<<<Channels / 64, 64>>>(Turned, Times, F, Out);
}
