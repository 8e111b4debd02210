// Rule: cuda-memory-gather
// The second stage of a recommender: a block for each user scores 256 candidate
// items by the product of factors (64 halves): a thread for each candidate, or
// eight threads, each of which reads 16 bytes of its row.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Users = 3000, Items = 200000, Candidates = 256, Factors = 64;

/// Of eight factors.
__device__ float product(uint4 Item, const float *User) {
  const __half2 *Pairs = reinterpret_cast<const __half2 *>(&Item);
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    const float2 Pair = __half22float2(Pairs[I]);
    Sum += Pair.x * User[2 * I] + Pair.y * User[2 * I + 1];
  }
  return Sum;
}

__global__ void before(const float *__restrict__ User,
                       const uint4 *__restrict__ Item,
                       const int *__restrict__ Chosen,
                       float *__restrict__ Scores) {
  __shared__ float Mine[Factors];
  if (threadIdx.x < Factors)
    Mine[threadIdx.x] = User[blockIdx.x * Factors + threadIdx.x];
  __syncthreads();
  const int C = blockIdx.x * Candidates + threadIdx.x;
  const uint4 *Row = Item + size_t(Chosen[C]) * (Factors / 8);
  float Sum = 0;
#pragma unroll
  for (int F = 0; F < Factors / 8; ++F)
    Sum += product(Row[F], Mine + 8 * F);
  Scores[C] = Sum;
}

__global__ void after(const float *__restrict__ User,
                      const uint4 *__restrict__ Item,
                      const int *__restrict__ Chosen,
                      float *__restrict__ Scores) {
  const int Part = threadIdx.x % 8;
  float Mine[8];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Mine[I] = User[blockIdx.x * Factors + Part * 8 + I];
#pragma unroll 4
  for (int Row = threadIdx.x / 8; Row < Candidates; Row += Candidates / 8) {
    const int C = blockIdx.x * Candidates + Row;
    float Sum = product(Item[size_t(Chosen[C]) * (Factors / 8) + Part], Mine);
    for (int Step = 4; Step > 0; Step /= 2)
      Sum += __shfl_xor_sync(~0u, Sum, Step);
    if (Part == 0)
      Scores[C] = Sum;
  }
}

int main() {
  std::vector<__half> Values(size_t(Items) * Factors);
  for (size_t I = 0; I < Values.size(); ++I)
    Values[I] = __float2half(mixed(I) / 4294967296.f);
  const auto *Item = (const uint4 *)onDevice(Values);
  const float *User = input<float>(Users * Factors);
  const int *Chosen = input<int>(Users * Candidates, Items);
  float *Expected = output<float>(Users * Candidates),
        *Out = output<float>(Users * Candidates);
  Pair P("candidate-scores-eight-lanes");
  P.same(Expected, Out, Users * Candidates);
  while (P.next())
    if (P.beforesTurn())
      before<<<Users, Candidates>>>(User, Item, Chosen, Expected);
    else
      after<<<Users, Candidates>>>(User, Item, Chosen, Out);
}
