// Rule: cuda-memory-single-result
// Squared distances of all queries to all points of 16 dimensions: a thread has
// one of them, or four queries to the point that it holds in registers.
#include "Pair.cuh"

constexpr int Points = 2048, Queries = 1024, Dimensions = 16;

__global__ void before(const float *Point, const float *Query, float *Out) {
  const int P = blockIdx.x * 128 + threadIdx.x, Q = blockIdx.y;
  float Sum = 0;
#pragma unroll
  for (int D = 0; D < Dimensions; ++D) {
    const float Way = Point[D * Points + P] - Query[Q * Dimensions + D];
    Sum += Way * Way;
  }
  Out[Q * Points + P] = Sum;
}

__global__ void after(const float *Point, const float *Query, float *Out) {
  const int P = blockIdx.x * 128 + threadIdx.x, Q = blockIdx.y * 4;
  float Sum[4] = {};
#pragma unroll
  for (int D = 0; D < Dimensions; ++D) {
    const float Here = Point[D * Points + P];
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      const float Way = Here - Query[(Q + I) * Dimensions + D];
      Sum[I] += Way * Way;
    }
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Out[(Q + I) * Points + P] = Sum[I];
}

int main() {
  const float *Point = input<float>(Points * Dimensions),
              *Query = input<float>(Queries * Dimensions);
  float *Expected = output<float>(Points * Queries),
        *Out = output<float>(Points * Queries);
  Pair P("distances-four-at-a-time");
  P.same(Expected, Out, Points * Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Points / 128, Queries), 128>>>(Point, Query, Expected);
    else
      after<<<dim3(Points / 128, Queries / 4), 128>>>(Point, Query, Out);
}
