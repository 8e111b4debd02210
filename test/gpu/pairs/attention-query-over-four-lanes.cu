// Rule: cuda-memory-register-spill
// Cross-attention of 1024 queries onto 512 tokens, 128 dimensions, the softmax
// on the way. A thread that has a query and its result for itself needs more
// registers than there are; four lanes that share a query have a quarter each.
#include "Pair.cuh"

constexpr int Dim = 128, Queries = 1024, Keys = 512, Heads = 32;
constexpr int Tile = 32, Group = 8;

__device__ void stageTile(float4 (*To)[Dim / 4], const float4 *From,
                          int Threads) {
  for (int I = threadIdx.x; I < Tile * Dim / 4; I += Threads)
    To[I / (Dim / 4)][I % (Dim / 4)] = From[I];
}

__device__ float dot(float4 A, float4 B) {
  return A.x * B.x + A.y * B.y + A.z * B.z + A.w * B.w;
}

__device__ void scale(float4 &A, float By) {
  A.x *= By;
  A.y *= By;
  A.z *= By;
  A.w *= By;
}

__device__ void add(float4 &Sum, float Weight, float4 A) {
  Sum.x += Weight * A.x;
  Sum.y += Weight * A.y;
  Sum.z += Weight * A.z;
  Sum.w += Weight * A.w;
}

/// Query \p Query by \p Lanes neighbouring lanes, of which this is \p Lane.
template <int Lanes>
__device__ void attend(const float4 *Q, const float4 *K, const float4 *V,
                       float4 *Out, int Query, int Lane, int Threads) {
  constexpr int Mine = Dim / 4 / Lanes;
  __shared__ float4 KeyTile[Tile][Dim / 4], ValueTile[Tile][Dim / 4];
  float4 Asked[Mine], Sum[Mine];
#pragma unroll
  for (int D = 0; D < Mine; ++D) {
    Asked[D] = Q[Query * (Dim / 4) + D * Lanes + Lane];
    scale(Asked[D], 0.0883883476f);
    Sum[D] = make_float4(0, 0, 0, 0);
  }
  float Max = -1e30f, Total = 0;
  for (int First = 0; First < Keys; First += Tile) {
    __syncthreads();
    stageTile(KeyTile, K + First * (Dim / 4), Threads);
    stageTile(ValueTile, V + First * (Dim / 4), Threads);
    __syncthreads();
#pragma unroll 1
    for (int T = 0; T < Tile; T += Group) {
      float Score[Group], Highest = Max;
#pragma unroll
      for (int G = 0; G < Group; ++G) {
        Score[G] = 0;
#pragma unroll
        for (int D = 0; D < Mine; ++D)
          Score[G] += dot(Asked[D], KeyTile[T + G][D * Lanes + Lane]);
#pragma unroll
        for (int Offset = Lanes / 2; Offset > 0; Offset /= 2)
          Score[G] += __shfl_xor_sync(0xffffffff, Score[G], Offset);
        Highest = fmaxf(Highest, Score[G]);
      }
      const float Shrink = __expf(Max - Highest);
      Max = Highest;
      Total *= Shrink;
#pragma unroll
      for (int D = 0; D < Mine; ++D)
        scale(Sum[D], Shrink);
#pragma unroll
      for (int G = 0; G < Group; ++G) {
        const float Weight = __expf(Score[G] - Max);
        Total += Weight;
#pragma unroll
        for (int D = 0; D < Mine; ++D)
          add(Sum[D], Weight, ValueTile[T + G][D * Lanes + Lane]);
      }
    }
  }
#pragma unroll
  for (int D = 0; D < Mine; ++D) {
    scale(Sum[D], 1 / Total);
    Out[Query * (Dim / 4) + D * Lanes + Lane] = Sum[D];
  }
}

__global__ void __launch_bounds__(128)
    before(const float4 *__restrict__ Q, const float4 *__restrict__ K,
           const float4 *__restrict__ V, float4 *__restrict__ Out) {
  const size_t QueryHead = size_t(blockIdx.y) * Queries * Dim / 4,
               KeyHead = size_t(blockIdx.y) * Keys * Dim / 4;
  attend<1>(Q + QueryHead, K + KeyHead, V + KeyHead, Out + QueryHead,
            blockIdx.x * 128 + threadIdx.x, 0, 128);
}

__global__ void __launch_bounds__(256)
    after(const float4 *__restrict__ Q, const float4 *__restrict__ K,
          const float4 *__restrict__ V, float4 *__restrict__ Out) {
  const size_t QueryHead = size_t(blockIdx.y) * Queries * Dim / 4,
               KeyHead = size_t(blockIdx.y) * Keys * Dim / 4;
  attend<4>(Q + QueryHead, K + KeyHead, V + KeyHead, Out + QueryHead,
            blockIdx.x * 64 + threadIdx.x / 4, threadIdx.x % 4, 256);
}

int main() {
  constexpr size_t Count = size_t(Heads) * Queries * Dim,
                   KeyCount = size_t(Heads) * Keys * Dim;
  const float4 *Q = (const float4 *)input<float>(Count);
  const float *KeysAndValues = input<float>(2 * KeyCount);
  const float4 *K = (const float4 *)KeysAndValues, *V = K + KeyCount / 4;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("attention-query-over-four-lanes");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Queries / 128, Heads), 128>>>(Q, K, V, (float4 *)Expected);
    else
      after<<<dim3(Queries / 64, Heads), 256>>>(Q, K, V, (float4 *)Out);
}
