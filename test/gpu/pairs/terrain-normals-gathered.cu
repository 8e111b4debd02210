// Rule: cuda-memory-atomic-contention
// Normals of a terrain's points: each cell adds those of its two triangles to
// their corners atomically, or a point works out the six about it.
#include "Pair.cuh"

constexpr int Side = 1024, Cells = Side - 1, Points = Side * Side;

// Of the triangle with the right angle at A; B lies along x, C along y.
__device__ float2 slope(float A, float B, float C, float Way) {
  return {Way * (A - B), Way * (A - C)};
}

__device__ void add(float *Normal, int At, float2 Slope) {
  atomicAdd(&Normal[At], Slope.x);
  atomicAdd(&Normal[Points + At], Slope.y);
  atomicAdd(&Normal[2 * Points + At], 1);
}

__global__ void before(const float *Height, float *Normal) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  if (X >= Cells || Y >= Cells)
    return;
  const int I = Y * Side + X;
  const float2 Lower = slope(Height[I], Height[I + 1], Height[I + Side], 1);
  const float2 Upper =
      slope(Height[I + Side + 1], Height[I + Side], Height[I + 1], -1);
  add(Normal, I, Lower);
  add(Normal, I + 1, Lower);
  add(Normal, I + Side, Lower);
  add(Normal, I + Side + 1, Upper);
  add(Normal, I + Side, Upper);
  add(Normal, I + 1, Upper);
}

__device__ void addCell(const float *Height, int X, int Y, bool TakesLower,
                        bool TakesUpper, float3 &Sum) {
  if (X < 0 || Y < 0 || X >= Cells || Y >= Cells)
    return;
  const int I = Y * Side + X;
  if (TakesLower) {
    const float2 S = slope(Height[I], Height[I + 1], Height[I + Side], 1);
    Sum = {Sum.x + S.x, Sum.y + S.y, Sum.z + 1};
  }
  if (TakesUpper) {
    const float2 S =
        slope(Height[I + Side + 1], Height[I + Side], Height[I + 1], -1);
    Sum = {Sum.x + S.x, Sum.y + S.y, Sum.z + 1};
  }
}

__global__ void after(const float *Height, float *Normal) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  float3 Sum = {};
  addCell(Height, X, Y, true, false, Sum);
  addCell(Height, X - 1, Y, true, true, Sum);
  addCell(Height, X, Y - 1, true, true, Sum);
  addCell(Height, X - 1, Y - 1, false, true, Sum);
  Normal[Y * Side + X] = Sum.x;
  Normal[Points + Y * Side + X] = Sum.y;
  Normal[2 * Points + Y * Side + X] = Sum.z;
}

int main() {
  const float *Height = input<float>(Points);
  float *Expected = output<float>(3 * Points), *Out = output<float>(3 * Points);
  Pair P("terrain-normals-gathered");
  P.same(Expected, Out, 3 * Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Height, Expected);
    else
      after<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(Height, Out);
}
