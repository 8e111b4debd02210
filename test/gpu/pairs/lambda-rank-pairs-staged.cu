// Rule: cuda-memory-missing-reuse
// Gradients for learning to rank (LambdaMART): each document of a query meets
// all 256. A block has a query, and its threads read the other's score, gain
// and discount from global memory, or from a copy in shared memory.
#include "Pair.cuh"

constexpr int Documents = 256, Queries = 2048;

struct Document {
  float Score, Gain, Discount;
};

struct Gradients {
  float First = 0, Second = 0;

  __device__ void meet(const Document &Own, const Document &Other) {
    const float Better = Own.Gain - Other.Gain;
    const float Change = fabsf(Better * (Own.Discount - Other.Discount));
    const float Margin =
        Better >= 0 ? Own.Score - Other.Score : Other.Score - Own.Score;
    const float Wrong = 1 / (1 + expf(2 * Margin));
    First += copysignf(2 * Wrong * Change, Better);
    Second += 4 * Wrong * (1 - Wrong) * Change;
  }
};

__global__ void before(const float *__restrict__ Score,
                       const float *__restrict__ Gain,
                       const float *__restrict__ Discount,
                       float *__restrict__ First, float *__restrict__ Second) {
  const int Query = blockIdx.x * Documents, I = Query + threadIdx.x;
  const Document Own = {Score[I], Gain[I], Discount[I]};
  Gradients G;
#pragma unroll 4
  for (int J = Query; J < Query + Documents; ++J)
    G.meet(Own, {Score[J], Gain[J], Discount[J]});
  First[I] = G.First;
  Second[I] = G.Second;
}

__global__ void after(const float *__restrict__ Score,
                      const float *__restrict__ Gain,
                      const float *__restrict__ Discount,
                      float *__restrict__ First, float *__restrict__ Second) {
  __shared__ float Scores[Documents], Gains[Documents], Discounts[Documents];
  const int Query = blockIdx.x * Documents, I = Query + threadIdx.x;
  const Document Own = {Score[I], Gain[I], Discount[I]};
  Scores[threadIdx.x] = Own.Score;
  Gains[threadIdx.x] = Own.Gain;
  Discounts[threadIdx.x] = Own.Discount;
  __syncthreads();
  Gradients G;
#pragma unroll 4
  for (int J = 0; J < Documents; ++J)
    G.meet(Own, {Scores[J], Gains[J], Discounts[J]});
  First[I] = G.First;
  Second[I] = G.Second;
}

int main() {
  constexpr int Count = Queries * Documents;
  const float *In = input<float>(3 * Count);
  float *Expected = output<float>(2 * Count), *Out = output<float>(2 * Count);
  Pair P("lambda-rank-pairs-staged");
  P.same(Expected, Out, 2 * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries, Documents>>>(In, In + Count, In + 2 * Count, Expected,
                                     Expected + Count);
    else
      after<<<Queries, Documents>>>(In, In + Count, In + 2 * Count, Out,
                                    Out + Count);
}
