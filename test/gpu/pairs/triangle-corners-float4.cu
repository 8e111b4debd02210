// Rule: cuda-memory-gather
// Areas of two million triangles whose corners lie anywhere among a million
// points: a point is three floats, packed, or four, of which one is not used.
#include "Pair.cuh"

constexpr int Points = 1 << 20, N = 1 << 21;

__device__ float area(float3 A, float3 B, float3 C) {
  const float3 U = {B.x - A.x, B.y - A.y, B.z - A.z};
  const float3 V = {C.x - A.x, C.y - A.y, C.z - A.z};
  const float X = U.y * V.z - U.z * V.y, Y = U.z * V.x - U.x * V.z,
              Z = U.x * V.y - U.y * V.x;
  return 0.5f * sqrtf(X * X + Y * Y + Z * Z);
}

__global__ void before(const int *__restrict__ Corner,
                       const float3 *__restrict__ Point,
                       float *__restrict__ Area) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Area[I] =
      area(Point[Corner[I]], Point[Corner[N + I]], Point[Corner[2 * N + I]]);
}

__device__ float3 firstThree(float4 P) { return {P.x, P.y, P.z}; }

__global__ void after(const int *__restrict__ Corner,
                      const float4 *__restrict__ Point,
                      float *__restrict__ Area) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Area[I] = area(firstThree(Point[Corner[I]]), firstThree(Point[Corner[N + I]]),
                 firstThree(Point[Corner[2 * N + I]]));
}

int main() {
  const int *Corner = input<int>(3 * N, Points);
  const float *Packed = input<float>(3 * Points);
  const float *Padded = arranged(Packed, 3 * Points, 4 * Points, [](size_t I) {
    return I % 4 < 3 ? I / 4 * 3 + I % 4 : 0;
  });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("triangle-corners-float4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Corner, (const float3 *)Packed, Expected);
    else
      after<<<N / 256, 256>>>(Corner, (const float4 *)Padded, Out);
}
