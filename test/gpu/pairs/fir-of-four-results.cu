// Rule: cuda-memory-single-result
// A filter of 24 taps over a long signal: a thread has one result, or four in a
// row, for which it loads 28 samples as seven vectors.
#include "Pair.cuh"

constexpr int N = 1 << 23, Taps = 24;

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weight,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Taps; ++T)
    Sum += Weight[T] * In[I + T];
  Out[I] = Sum;
}

__global__ void after(const float4 *__restrict__ In,
                      const float *__restrict__ Weight,
                      float4 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sample[Taps + 4], Sum[4] = {};
#pragma unroll
  for (int V = 0; V < Taps / 4 + 1; ++V) {
    const float4 Four = In[I + V];
    Sample[4 * V] = Four.x;
    Sample[4 * V + 1] = Four.y;
    Sample[4 * V + 2] = Four.z;
    Sample[4 * V + 3] = Four.w;
  }
#pragma unroll
  for (int T = 0; T < Taps; ++T) {
    const float W = Weight[T];
#pragma unroll
    for (int R = 0; R < 4; ++R)
      Sum[R] += W * Sample[T + R];
  }
  Out[I] = make_float4(Sum[0], Sum[1], Sum[2], Sum[3]);
}

int main() {
  const float *In = input<float>(N + Taps + 4), *Weight = input<float>(Taps);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("fir-of-four-results");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Weight, Expected);
    else
      after<<<N / 1024, 256>>>((const float4 *)In, Weight, (float4 *)Out);
}
