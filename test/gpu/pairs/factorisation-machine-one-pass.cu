// Rule: cuda-memory-repeated-pass
// Scores of a factorisation machine, a warp for each sample of 24 features, a
// lane for each of 32 dimensions: the sum of the embeddings and the sum of
// their squares in two passes over the gathered rows, or in one.
#include "Pair.cuh"

constexpr int Samples = 1 << 15, Features = 24, Dimensions = 32,
              Rows = 3 << 16;

__device__ float warpSum(float Value) {
  for (int Step = 16; Step > 0; Step /= 2)
    Value += __shfl_xor_sync(0xffffffff, Value, Step);
  return Value;
}

__global__ void before(const float *__restrict__ Embedding,
                       const int *__restrict__ Ids,
                       const float *__restrict__ Values,
                       float *__restrict__ Score) {
  const int Sample = blockIdx.x * blockDim.y + threadIdx.y;
  const int Lane = threadIdx.x;
  Ids += Sample * Features;
  Values += Sample * Features;
  float Sum = 0, Squares = 0;
#pragma unroll 4
  for (int F = 0; F < Features; ++F)
    Sum += Embedding[Ids[F] * Dimensions + Lane] * Values[F];
#pragma unroll 4
  for (int F = 0; F < Features; ++F) {
    const float V = Embedding[Ids[F] * Dimensions + Lane] * Values[F];
    Squares += V * V;
  }
  const float Total = warpSum(0.5f * (Sum * Sum - Squares));
  if (Lane == 0)
    Score[Sample] = Total;
}

__global__ void after(const float *__restrict__ Embedding,
                      const int *__restrict__ Ids,
                      const float *__restrict__ Values,
                      float *__restrict__ Score) {
  const int Sample = blockIdx.x * blockDim.y + threadIdx.y;
  const int Lane = threadIdx.x;
  Ids += Sample * Features;
  Values += Sample * Features;
  float Sum = 0, Squares = 0;
#pragma unroll 4
  for (int F = 0; F < Features; ++F) {
    const float V = Embedding[Ids[F] * Dimensions + Lane] * Values[F];
    Sum += V;
    Squares += V * V;
  }
  const float Total = warpSum(0.5f * (Sum * Sum - Squares));
  if (Lane == 0)
    Score[Sample] = Total;
}

int main() {
  const float *Embedding = input<float>(size_t(Rows) * Dimensions),
              *Values = input<float>(Samples * Features);
  const int *Ids = input<int>(Samples * Features, Rows);
  float *Expected = output<float>(Samples), *Out = output<float>(Samples);
  Pair P("factorisation-machine-one-pass");
  P.same(Expected, Out, Samples);
  const dim3 Block(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Samples / 8, Block>>>(Embedding, Ids, Values, Expected);
    else
      after<<<Samples / 8, Block>>>(Embedding, Ids, Values, Out);
}
