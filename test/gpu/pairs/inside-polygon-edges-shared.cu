// Rule: cuda-memory-missing-reuse
// How many of a polygon's 256 edges a ray from each of a million points
// crosses: the edges, which all threads read in the same order, come from
// global memory or from a copy in shared memory.
#include "Pair.cuh"

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

__global__ void __launch_bounds__(Threads)
    after(const float2 *__restrict__ Point, const Edge *__restrict__ Polygon,
          int *__restrict__ Out) {
  __shared__ Edge Near[Edges];
  const int I = blockIdx.x * Threads + threadIdx.x;
  Near[threadIdx.x] = Polygon[threadIdx.x];
  __syncthreads();
  const float2 P = Point[I];
  int Count = 0;
#pragma unroll 4
  for (int E = 0; E < Edges; ++E)
    Count += crossed(P, Near[E]);
  Out[I] = Count;
}

int main() {
  static_assert(Edges == Threads, "a thread copies an edge");
  const float2 *Point = (const float2 *)input<float>(2 * N);
  const Edge *Polygon = (const Edge *)input<float>(4 * Edges);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("inside-polygon-edges-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Point, Polygon, Expected);
    else
      after<<<N / Threads, Threads>>>(Point, Polygon, Out);
}
