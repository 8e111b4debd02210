// Rule: cuda-memory-local-array
// The eight nearest of 512 points to each query: an insertion that moves
// entries until the place is found, or one that goes along all eight entries
// and exchanges, so that each index is known.
#include "Pair.cuh"

constexpr int Queries = 1 << 16, Points = 512, K = 8;

__device__ float squared(float2 A, float2 B) {
  return (A.x - B.x) * (A.x - B.x) + (A.y - B.y) * (A.y - B.y);
}

__global__ void before(const float2 *Queried, const float2 *Others,
                       float *Nearest) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 Query = Queried[I];
  float Best[K];
  for (int J = 0; J < K; ++J)
    Best[J] = 1e30f;
  for (int N = 0; N < Points; ++N) {
    const float Distance = squared(Query, Others[N]);
    int J = K;
    while (J > 0 && Best[J - 1] > Distance) {
      if (J < K)
        Best[J] = Best[J - 1];
      --J;
    }
    if (J < K)
      Best[J] = Distance;
  }
  for (int J = 0; J < K; ++J)
    Nearest[J * Queries + I] = Best[J];
}

__global__ void after(const float2 *Queried, const float2 *Others,
                      float *Nearest) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 Query = Queried[I];
  float Best[K];
#pragma unroll
  for (int J = 0; J < K; ++J)
    Best[J] = 1e30f;
  for (int N = 0; N < Points; ++N) {
    float Distance = squared(Query, Others[N]);
    if (Distance < Best[K - 1]) {
#pragma unroll
      for (int J = 0; J < K; ++J) {
        const float Less = fminf(Best[J], Distance);
        Distance = fmaxf(Best[J], Distance);
        Best[J] = Less;
      }
    }
  }
#pragma unroll
  for (int J = 0; J < K; ++J)
    Nearest[J * Queries + I] = Best[J];
}

int main() {
  const float *Queried = input<float>(2 * Queries),
              *Others = input<float>(4 * Queries) + 2 * Queries;
  float *Expected = output<float>(K * Queries),
        *Out = output<float>(K * Queries);
  Pair P("nearest-eight-by-exchange");
  P.same(Expected, Out, K * Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries / 128, 128>>>((const float2 *)Queried,
                                     (const float2 *)Others, Expected);
    else
      after<<<Queries / 128, 128>>>((const float2 *)Queried,
                                    (const float2 *)Others, Out);
}
