// Rule: ?
// How sharply a ring of lidar points bends at each, from five neighbours to
// either side in shared memory: points of three floats together, which lanes
// read without conflicts as they are, or three arrays.
#include "Pair.cuh"

constexpr int N = 1 << 20, Side = 5, Threads = 256, Tile = Threads + 2 * Side;

__device__ float sharpness(float X, float Y, float Z, float Range) {
  return (X * X + Y * Y + Z * Z) / (2 * Side * sqrtf(Range));
}

__global__ void before(const float3 *__restrict__ Point,
                       float *__restrict__ Curvature) {
  __shared__ float3 Ring[Tile];
  const int Start = blockIdx.x * Threads;
  for (int I = threadIdx.x; I < Tile; I += Threads)
    Ring[I] = Point[Start + I];
  __syncthreads();
  const float3 Own = Ring[threadIdx.x + Side];
  float X = -2 * Side * Own.x, Y = -2 * Side * Own.y, Z = -2 * Side * Own.z;
  for (int I = 1; I <= Side; ++I) {
    const float3 Left = Ring[threadIdx.x + Side - I],
                 Right = Ring[threadIdx.x + Side + I];
    X += Left.x + Right.x;
    Y += Left.y + Right.y;
    Z += Left.z + Right.z;
  }
  Curvature[Start + threadIdx.x] = sharpness(
      X, Y, Z, Own.x * Own.x + Own.y * Own.y + Own.z * Own.z + 0.01f);
}

__global__ void after(const float3 *__restrict__ Point,
                      float *__restrict__ Curvature) {
  __shared__ float RingX[Tile], RingY[Tile], RingZ[Tile];
  const int Start = blockIdx.x * Threads;
  for (int I = threadIdx.x; I < Tile; I += Threads) {
    const float3 P = Point[Start + I];
    RingX[I] = P.x;
    RingY[I] = P.y;
    RingZ[I] = P.z;
  }
  __syncthreads();
  const int Centre = threadIdx.x + Side;
  const float OwnX = RingX[Centre], OwnY = RingY[Centre],
              OwnZ = RingZ[Centre];
  float X = -2 * Side * OwnX, Y = -2 * Side * OwnY, Z = -2 * Side * OwnZ;
  for (int I = 1; I <= Side; ++I) {
    X += RingX[Centre - I] + RingX[Centre + I];
    Y += RingY[Centre - I] + RingY[Centre + I];
    Z += RingZ[Centre - I] + RingZ[Centre + I];
  }
  Curvature[Start + threadIdx.x] = sharpness(
      X, Y, Z, OwnX * OwnX + OwnY * OwnY + OwnZ * OwnZ + 0.01f);
}

int main() {
  const float *Point = input<float>(3 * (N + 2 * Side));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("lidar-curvature-points-apart-in-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>((const float3 *)Point, Expected);
    else
      after<<<N / Threads, Threads>>>((const float3 *)Point, Out);
}
