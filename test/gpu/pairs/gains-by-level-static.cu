// Rule: cuda-memory-local-array
// Samples are scaled by one of 32 gains that their level chooses, from a table that each
// thread has of its own, or that is one for all.
#include "Pair.cuh"

constexpr int N = 1 << 21;

#define GAINS                                                                  \
  {1.00f, 1.12f, 1.26f, 1.41f, 1.58f, 1.78f, 2.00f, 2.24f,                     \
   2.51f, 2.82f, 3.16f, 3.55f, 3.98f, 4.47f, 5.01f, 5.62f,                     \
   6.31f, 7.08f, 7.94f, 8.91f, 10.0f, 11.2f, 12.6f, 14.1f,                     \
   15.8f, 17.8f, 20.0f, 22.4f, 25.1f, 28.2f, 31.6f, 35.5f}

__global__ void before(const float *In, const unsigned char *Level, float *Out) {
  const float Gains[32] = GAINS;
  const int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = In[I] * Gains[Level[I] & 31];
}

__global__ void after(const float *In, const unsigned char *Level, float *Out) {
  static const float Gains[32] = GAINS;
  const int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = In[I] * Gains[Level[I] & 31];
}

int main() {
  const float *In = input<float>(N);
  const unsigned char *Level = input<unsigned char>(N, 256);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("gains-by-level-static");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Level, Expected);
    else
      after<<<N / 256, 256>>>(In, Level, Out);
}
