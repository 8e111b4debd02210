// Rule: cuda-memory-missing-reuse
// All bodies act on each one: read by all lanes alike from global memory, or by
// tiles in shared memory.
#include "Pair.cuh"

constexpr int N = 16384;

__device__ float pull(float4 A, float4 B) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  return B.w * rsqrtf(X * X + Y * Y + Z * Z + 0.01f);
}

__global__ void before(const float4 *Bodies, float *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Me = Bodies[I];
  float Sum = 0;
  for (int J = 0; J < N; ++J)
    Sum += pull(Me, Bodies[J]);
  Out[I] = Sum;
}

__global__ void after(const float4 *Bodies, float *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Me = Bodies[I];
  float Sum = 0;
  for (int J = 0; J < N; J += 128) {
    Tile[threadIdx.x] = Bodies[J + threadIdx.x];
    __syncthreads();
    for (int K = 0; K < 128; ++K)
      Sum += pull(Me, Tile[K]);
    __syncthreads();
  }
  Out[I] = Sum;
}

int main() {
  const float *Bodies = input<float>(4 * N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("missing-reuse-bodies");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>((const float4 *)Bodies, Expected);
    else
      after<<<N / 128, 128>>>((const float4 *)Bodies, Out);
}
