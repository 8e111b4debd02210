// Rule: cuda-memory-scalar-stream
// A moving average of each channel keeps its last samples in a private ring;
// how many is an argument, up to sixteen. As advised, a thread handles four
// neighbouring channels, whose samples it loads and stores as one float4.
#include "../Pair.cuh"

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

__global__ void after(const float4 *In, float4 *Out, int Taps) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  float4 Ring[Most] = {}, Sum = {};
  int At = 0;
  for (int S = 0; S < Steps; ++S) {
    const float4 X = In[S * (Channels / 4) + I], Old = Ring[At];
    Sum.x += X.x - Old.x;
    Sum.y += X.y - Old.y;
    Sum.z += X.z - Old.z;
    Sum.w += X.w - Old.w;
    Ring[At] = X;
    At = At + 1 < Taps ? At + 1 : 0;
    Out[S * (Channels / 4) + I] =
        make_float4(Sum.x / Taps, Sum.y / Taps, Sum.z / Taps, Sum.w / Taps);
  }
}

int main() {
  const float *In = input<float>(Steps * Channels);
  float *Expected = output<float>(Steps * Channels),
        *Out = output<float>(Steps * Channels);
  Pair P("moving-average-ring-as-advised");
  P.same(Expected, Out, Steps * Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels / 128, 128>>>(In, Expected, 12);
    else
      after<<<Channels / 4 / 128, 128>>>((const float4 *)In, (float4 *)Out, 12);
}
