// Rule: cuda-memory-bank-conflict
// Scores of 16 queries against tiles of 64 keys of 64 values in shared memory.
// A lane takes a key and reads its row four floats at a time: rows of 64 floats
// begin in the same bank, rows of 68 do not. "Pad the tile", as every text on
// bank conflicts says, here for float4.
#include "Pair.cuh"

constexpr int Heads = 48, Keys = 2048, Queries = 16, Width = 64, Tile = 64;

template <int Pitch>
__device__ void score(const float *__restrict__ Query,
                      const float *__restrict__ Key, float *__restrict__ Score,
                      float (*KeyTile)[Pitch], float (*QueryTile)[Width]) {
  const int T = threadIdx.x, Head = blockIdx.y, First = blockIdx.x * Tile;
  const float *HeadKeys = Key + (size_t(Head) * Keys + First) * Width;
  const float *HeadQueries = Query + Head * Queries * Width;
  for (int I = T; I < Tile * Width / 4; I += 256)
    *reinterpret_cast<float4 *>(&KeyTile[I / 16][I % 16 * 4]) =
        reinterpret_cast<const float4 *>(HeadKeys)[I];
  for (int I = T; I < Queries * Width / 4; I += 256)
    *reinterpret_cast<float4 *>(&QueryTile[I / 16][I % 16 * 4]) =
        reinterpret_cast<const float4 *>(HeadQueries)[I];
  __syncthreads();
  const int MyKey = T % Tile, Group = T / Tile * 4;
  float Sum[4] = {};
#pragma unroll 4
  for (int D = 0; D < Width; D += 4) {
    const float4 K = *reinterpret_cast<const float4 *>(&KeyTile[MyKey][D]);
#pragma unroll
    for (int Q = 0; Q < 4; ++Q) {
      const float4 V =
          *reinterpret_cast<const float4 *>(&QueryTile[Group + Q][D]);
      Sum[Q] += K.x * V.x + K.y * V.y + K.z * V.z + K.w * V.w;
    }
  }
#pragma unroll
  for (int Q = 0; Q < 4; ++Q)
    Score[(size_t(Head) * Queries + Group + Q) * Keys + First + MyKey] =
        Sum[Q] * 0.125f;
}

__global__ void before(const float *__restrict__ Query,
                       const float *__restrict__ Key,
                       float *__restrict__ Score) {
  __shared__ __align__(16) float KeyTile[Tile][Width];
  __shared__ __align__(16) float QueryTile[Queries][Width];
  score<Width>(Query, Key, Score, KeyTile, QueryTile);
}

__global__ void after(const float *__restrict__ Query,
                      const float *__restrict__ Key,
                      float *__restrict__ Score) {
  __shared__ __align__(16) float KeyTile[Tile][Width + 4];
  __shared__ __align__(16) float QueryTile[Queries][Width];
  score<Width + 4>(Query, Key, Score, KeyTile, QueryTile);
}

int main() {
  constexpr size_t Count = size_t(Heads) * Queries * Keys;
  const float *Key = input<float>(size_t(Heads) * Keys * Width);
  const float *Query = input<float>(Heads * Queries * Width);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("attention-key-rows-padded");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Keys / Tile, Heads), 256>>>(Query, Key, Expected);
    else
      after<<<dim3(Keys / Tile, Heads), 256>>>(Query, Key, Out);
}
