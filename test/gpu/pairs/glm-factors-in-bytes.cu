// Rule: cuda-memory-narrow-access
// Fitted probabilities of a logistic regression on six factors of 20 levels:
// the codes of the levels, a column for each factor, as int or as bytes.
#include "Pair.cuh"

constexpr int N = 4000003, Factors = 6, Levels = 20;

__device__ float probability(float Eta) { return 1 / (1 + __expf(-Eta)); }

__global__ void before(const int *__restrict__ Codes,
                       const float *__restrict__ Beta,
                       float *__restrict__ Fitted) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Eta = -3;
#pragma unroll
  for (int F = 0; F < Factors; ++F)
    Eta += Beta[F * Levels + Codes[F * N + I]];
  Fitted[I] = probability(Eta);
}

__global__ void after(const unsigned char *__restrict__ Codes,
                      const float *__restrict__ Beta,
                      float *__restrict__ Fitted) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Eta = -3;
#pragma unroll
  for (int F = 0; F < Factors; ++F)
    Eta += Beta[F * Levels + Codes[F * N + I]];
  Fitted[I] = probability(Eta);
}

int main() {
  const int *Codes = input<int>(Factors * N, Levels);
  const std::vector<int> Wide = onHost(Codes, Factors * N);
  const unsigned char *Narrow =
      onDevice(std::vector<unsigned char>(Wide.begin(), Wide.end()));
  const float *Beta = input<float>(Factors * Levels);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("glm-factors-in-bytes");
  P.same(Expected, Out, N);
  const int Grid = (N + 255) / 256;
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(Codes, Beta, Expected);
    else
      after<<<Grid, 256>>>(Narrow, Beta, Out);
}
