// Rule: cuda-memory-bank-conflict
// Inverse cosine transforms of blocks of 8x8 coefficients, rows first, then
// columns, 32 blocks at a time in shared memory: rows lie eight or nine words
// apart.
#include "Pair.cuh"

constexpr int Blocks = 1 << 17, Group = 32;

__constant__ float Basis[8][8];

template <int Row>
__device__ __forceinline__ void inverse(const float *In, float *Out) {
  __shared__ float Tile[Group * 8 * Row];
  const int T = threadIdx.x, B = T / 8, R = T % 8;
  const size_t First = size_t(blockIdx.x) * Group * 64;
#pragma unroll
  for (int I = T; I < Group * 64; I += 256)
    Tile[I / 8 * Row + I % 8] = In[First + I];
  __syncthreads();
  float V[8];
#pragma unroll
  for (int Pass = 0; Pass < 2; ++Pass) {
    float *Line = Tile + B * 8 * Row + (Pass ? R : R * Row);
    const int Step = Pass ? Row : 1;
#pragma unroll
    for (int J = 0; J < 8; ++J)
      V[J] = Line[J * Step];
#pragma unroll
    for (int K = 0; K < 8; ++K) {
      float Sum = 0;
#pragma unroll
      for (int J = 0; J < 8; ++J)
        Sum += Basis[K][J] * V[J];
      Line[K * Step] = Sum;
    }
    __syncthreads();
  }
#pragma unroll
  for (int I = T; I < Group * 64; I += 256)
    Out[First + I] = Tile[I / 8 * Row + I % 8];
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  inverse<8>(In, Out);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  inverse<9>(In, Out);
}

int main() {
  float Waves[8][8];
  for (int K = 0; K < 8; ++K)
    for (int J = 0; J < 8; ++J)
      Waves[K][J] =
          (J ? 0.5f : 0.35355339f) * std::cos((2 * K + 1) * J * 0.19634954f);
  must(cudaMemcpyToSymbol(Basis, Waves, sizeof(Basis)));
  const float *In = input<float>(Blocks * 64);
  float *Expected = output<float>(Blocks * 64),
        *Out = output<float>(Blocks * 64);
  Pair P("idct-blocks-padded");
  P.same(Expected, Out, Blocks * 64);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks / Group, 256>>>(In, Expected);
    else
      after<<<Blocks / Group, 256>>>(In, Out);
}
