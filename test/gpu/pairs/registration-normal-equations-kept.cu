// Rule: cuda-memory-single-result
// The normal equations of point-to-plane registration of a lidar scan (ICP):
// 27 sums over a million matched points. A thread takes one point before the
// block sums up, or keeps its own 27 sums over many points first.
#include "Pair.cuh"

constexpr int Points = 1 << 20, Block = 256, Sums = 27;

struct Pose {
  float R[9], T[3];
};

__device__ float3 moved(const Pose &P, float4 V) {
  return make_float3(P.R[0] * V.x + P.R[1] * V.y + P.R[2] * V.z + P.T[0],
                     P.R[3] * V.x + P.R[4] * V.y + P.R[5] * V.z + P.T[1],
                     P.R[6] * V.x + P.R[7] * V.y + P.R[8] * V.z + P.T[2]);
}

/// Adds what a pair of points says of the six unknowns.
__device__ void addPair(const Pose &P, float4 Source, float4 Target, float4 N,
                        float (&Sum)[Sums]) {
  const float3 S = moved(P, Source);
  const float Residual =
      N.x * (S.x - Target.x) + N.y * (S.y - Target.y) + N.z * (S.z - Target.z);
  const float Weight =
      fabsf(Residual) < 0.5f ? 1.f : __fdividef(0.5f, fabsf(Residual));
  const float J[6] = {S.y * N.z - S.z * N.y,
                      S.z * N.x - S.x * N.z,
                      S.x * N.y - S.y * N.x,
                      N.x,
                      N.y,
                      N.z};
  int At = 0;
#pragma unroll
  for (int A = 0; A < 6; ++A) {
    const float Scaled = Weight * J[A];
#pragma unroll
    for (int B = A; B < 6; ++B)
      Sum[At++] += Scaled * J[B];
    Sum[21 + A] -= Scaled * Residual;
  }
}

__device__ void addOfBlock(const float (&Sum)[Sums], float *Total) {
  __shared__ float OfWarp[Block / 32][Sums];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
#pragma unroll
  for (int I = 0; I < Sums; ++I) {
    float Value = Sum[I];
#pragma unroll
    for (int Step = 16; Step > 0; Step /= 2)
      Value += __shfl_down_sync(0xffffffff, Value, Step);
    if (Lane == 0)
      OfWarp[Warp][I] = Value;
  }
  __syncthreads();
  if (threadIdx.x < Sums) {
    float Value = 0;
#pragma unroll
    for (int W = 0; W < Block / 32; ++W)
      Value += OfWarp[W][threadIdx.x];
    atomicAdd(&Total[threadIdx.x], Value);
  }
}

__global__ void before(const float4 *__restrict__ Source,
                       const float4 *__restrict__ Target,
                       const float4 *__restrict__ Normal, Pose P,
                       float *Total) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float Sum[Sums] = {};
  addPair(P, Source[I], Target[I], Normal[I], Sum);
  addOfBlock(Sum, Total);
}

__global__ void after(const float4 *__restrict__ Source,
                      const float4 *__restrict__ Target,
                      const float4 *__restrict__ Normal, Pose P, float *Total) {
  float Sum[Sums] = {};
  for (int I = blockIdx.x * Block + threadIdx.x; I < Points;
       I += gridDim.x * Block)
    addPair(P, Source[I], Target[I], Normal[I], Sum);
  addOfBlock(Sum, Total);
}

int main() {
  const float4 *Clouds = (const float4 *)input<float>(size_t(12) * Points);
  float *Expected = output<float>(Sums), *Out = output<float>(Sums);
  const Pose Guess = {{0.98f, -0.199f, 0, 0.199f, 0.98f, 0, 0, 0, 1},
                      {2, -1, 0.5f}};
  Pair P("registration-normal-equations-kept");
  P.same(Expected, Out, Sums);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / Block, Block>>>(Clouds, Clouds + Points,
                                        Clouds + 2 * Points, Guess, Expected);
    else
      after<<<132 * 4, Block>>>(Clouds, Clouds + Points, Clouds + 2 * Points,
                                Guess, Out);
}
