// Rule: cuda-memory-single-result
// How many of a polygon's 256 edges a ray from each of a million points meets.
// As advised, each thread counts for four points a block's width apart, for
// which it loads each edge once.
#include "../Pair.cuh"

constexpr int N = 1 << 20, Edges = 256, Threads = 256;

/// X and Y where it begins, Y where it ends, and its slope.
using Edge = float4;

__device__ __forceinline__ int crossed(float2 P, Edge E) {
  return (E.y > P.y) != (E.z > P.y) && P.x < E.x + E.w * (P.y - E.y);
}

__global__ void __launch_bounds__(Threads)
    before(const float2 *__restrict__ Point, const Edge *__restrict__ Polygon,
           int *__restrict__ Out) {
  const int I = blockIdx.x * Threads + threadIdx.x;
  const float2 P = Point[I];
  int Count = 0;
#pragma unroll 4
  for (int E = 0; E < Edges; ++E)
    Count += crossed(P, Polygon[E]);
  Out[I] = Count;
}

constexpr int Each = 4;

__global__ void __launch_bounds__(Threads)
    after(const float2 *__restrict__ Point, const Edge *__restrict__ Polygon,
          int *__restrict__ Out) {
  const int I = blockIdx.x * Threads * Each + threadIdx.x;
  float2 P[Each];
  int Count[Each] = {};
#pragma unroll
  for (int K = 0; K < Each; ++K)
    P[K] = Point[I + K * Threads];
#pragma unroll 4
  for (int E = 0; E < Edges; ++E) {
    const Edge Near = Polygon[E];
#pragma unroll
    for (int K = 0; K < Each; ++K)
      Count[K] += crossed(P[K], Near);
  }
#pragma unroll
  for (int K = 0; K < Each; ++K)
    Out[I + K * Threads] = Count[K];
}

int main() {
  const float2 *Point = (const float2 *)input<float>(2 * N);
  const Edge *Polygon = (const Edge *)input<float>(4 * Edges);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("inside-polygon-edges-shared-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Point, Polygon, Expected);
    else
      after<<<N / Threads / Each, Threads>>>(Point, Polygon, Out);
}
