// Rule: cuda-memory-single-result
// Scores of attention, products of all queries and all keys of a head: a
// thread reads its key for one query, or for four.
#include "Pair.cuh"

constexpr int Heads = 4, Queries = 256, Keys = 2048, Depth = 64;

__global__ void before(const float *__restrict__ Query,
                       const float *__restrict__ Key,
                       float *__restrict__ Scores) {
  const int K = blockIdx.x * 256 + threadIdx.x, Q = blockIdx.y,
            Head = blockIdx.z;
  float Sum = 0;
  for (int D = 0; D < Depth; ++D)
    Sum += Query[(Head * Queries + Q) * Depth + D] *
           Key[(Head * Depth + D) * Keys + K];
  Scores[(Head * Queries + Q) * Keys + K] = 0.125f * Sum;
}

__global__ void after(const float *__restrict__ Query,
                      const float *__restrict__ Key,
                      float *__restrict__ Scores) {
  const int K = blockIdx.x * 256 + threadIdx.x, Q = blockIdx.y * 4,
            Head = blockIdx.z;
  float Sums[4] = {};
  for (int D = 0; D < Depth; ++D) {
    const float Value = Key[(Head * Depth + D) * Keys + K];
    for (int I = 0; I < 4; ++I)
      Sums[I] += Query[(Head * Queries + Q + I) * Depth + D] * Value;
  }
  for (int I = 0; I < 4; ++I)
    Scores[(Head * Queries + Q + I) * Keys + K] = 0.125f * Sums[I];
}

int main() {
  constexpr int All = Heads * Queries * Keys;
  const float *Query = input<float>(Heads * Queries * Depth),
              *Key = input<float>(Heads * Depth * Keys);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("attention-scores-four-queries");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Keys / 256, Queries, Heads), 256>>>(Query, Key, Expected);
    else
      after<<<dim3(Keys / 256, Queries / 4, Heads), 256>>>(Query, Key, Out);
}
