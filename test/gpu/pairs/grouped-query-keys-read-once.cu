// Rule: cuda-memory-missing-reuse
// Scores of one new token against the cached keys, 32 query heads over 4 key
// heads (grouped-query attention). Each query head reads the keys for itself,
// so that a key comes eight times through L2, or a block keeps the queries of
// all eight heads in registers and reads the key once.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Dim = 128, Batch = 16, QueryHeads = 32, KeyHeads = 4,
              Positions = 2048;
constexpr int Shared = QueryHeads / KeyHeads, Lanes = Dim / 8, Chunk = 128;
constexpr float Scale = 0.0883883476f;

struct EightHalves {
  half2 Pair[4];
};

__device__ EightHalves keyPart(const uint4 *Keys, int Head, int Position,
                               int Lane) {
  const uint4 Raw = Keys[(size_t(Head) * Positions + Position) * Lanes + Lane];
  EightHalves Result;
  Result.Pair[0] = *reinterpret_cast<const half2 *>(&Raw.x);
  Result.Pair[1] = *reinterpret_cast<const half2 *>(&Raw.y);
  Result.Pair[2] = *reinterpret_cast<const half2 *>(&Raw.z);
  Result.Pair[3] = *reinterpret_cast<const half2 *>(&Raw.w);
  return Result;
}

__device__ void loadQuery(float (&To)[8], const float *Query, int Head,
                          int Lane) {
#pragma unroll
  for (int D = 0; D < 8; ++D)
    To[D] = Scale * Query[Head * Dim + Lane * 8 + D];
}

__device__ float product(const float (&Query)[8], const EightHalves &Key) {
  float Sum = 0;
#pragma unroll
  for (int D = 0; D < 4; ++D) {
    const float2 Two = __half22float2(Key.Pair[D]);
    Sum += Query[2 * D] * Two.x + Query[2 * D + 1] * Two.y;
  }
#pragma unroll
  for (int Offset = Lanes / 2; Offset > 0; Offset /= 2)
    Sum += __shfl_xor_sync(0xffffffff, Sum, Offset);
  return Sum;
}

__global__ void before(const float *__restrict__ Query,
                       const uint4 *__restrict__ Keys,
                       float *__restrict__ Scores) {
  const int Lane = threadIdx.x % Lanes, First = blockIdx.x * Chunk;
  const int Head = blockIdx.z * QueryHeads + blockIdx.y;
  float Q[8];
  loadQuery(Q, Query, Head, Lane);
  for (int P = First + threadIdx.x / Lanes; P < First + Chunk;
       P += 256 / Lanes) {
    const float Score = product(Q, keyPart(Keys, Head / Shared, P, Lane));
    if (Lane == 0)
      Scores[size_t(Head) * Positions + P] = Score;
  }
}

__global__ void after(const float *__restrict__ Query,
                      const uint4 *__restrict__ Keys,
                      float *__restrict__ Scores) {
  const int Lane = threadIdx.x % Lanes, First = blockIdx.x * Chunk;
  const int KeyHead = blockIdx.z * KeyHeads + blockIdx.y;
  float Q[Shared][8];
#pragma unroll
  for (int H = 0; H < Shared; ++H)
    loadQuery(Q[H], Query, KeyHead * Shared + H, Lane);
  for (int P = First + threadIdx.x / Lanes; P < First + Chunk;
       P += 256 / Lanes) {
    const EightHalves Key = keyPart(Keys, KeyHead, P, Lane);
#pragma unroll
    for (int H = 0; H < Shared; ++H) {
      const float Score = product(Q[H], Key);
      if (Lane == 0)
        Scores[size_t(KeyHead * Shared + H) * Positions + P] = Score;
    }
  }
}

int main() {
  constexpr size_t KeyCount = size_t(Batch) * KeyHeads * Positions * Dim,
                   Count = size_t(Batch) * QueryHeads * Positions;
  const float *Query = input<float>(Batch * QueryHeads * Dim);
  const uint4 *Keys = (const uint4 *)input<half>(KeyCount, 4);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("grouped-query-keys-read-once");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Positions / Chunk, QueryHeads, Batch), 256>>>(Query, Keys,
                                                                  Expected);
    else
      after<<<dim3(Positions / Chunk, KeyHeads, Batch), 256>>>(Query, Keys,
                                                               Out);
}
