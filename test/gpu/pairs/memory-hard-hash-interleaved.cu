// Rule: cuda-memory-uncoalesced-access
// A memory-hard password hash in the manner of scrypt: a thread fills its
// scratch of 128 rows of 64 bytes, then mixes with rows that the state picks.
// The scratch of a thread lies in one piece, or word by word next to those of
// the other threads.
#include "Pair.cuh"

constexpr int Threads = 132 * 64, RowWords = 16, Rows = 128;

__device__ inline void quarter(uint32_t &A, uint32_t &B, uint32_t &C,
                               uint32_t &D) {
  B ^= __funnelshift_l(A + D, A + D, 7);
  C ^= __funnelshift_l(B + A, B + A, 9);
  D ^= __funnelshift_l(C + B, C + B, 13);
  A ^= __funnelshift_l(D + C, D + C, 18);
}

/// One double round of Salsa20, added to the state.
__device__ inline void mix(uint32_t (&S)[RowWords]) {
  uint32_t X[RowWords];
#pragma unroll
  for (int I = 0; I < RowWords; ++I)
    X[I] = S[I];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    quarter(X[I * 5], X[(I * 5 + 4) % 16], X[(I * 5 + 8) % 16],
            X[(I * 5 + 12) % 16]);
#pragma unroll
  for (int I = 0; I < 4; ++I)
    quarter(X[I * 5], X[I * 4 + (I + 1) % 4], X[I * 4 + (I + 2) % 4],
            X[I * 4 + (I + 3) % 4]);
#pragma unroll
  for (int I = 0; I < RowWords; ++I)
    S[I] += X[I];
}

__global__ void before(const uint32_t *Seeds, uint4 *Scratch,
                       uint32_t *Digests) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 *Mine = Scratch + size_t(T) * Rows * (RowWords / 4);
  uint32_t S[RowWords];
#pragma unroll
  for (int I = 0; I < RowWords; ++I)
    S[I] = Seeds[I * Threads + T];
  for (int R = 0; R < Rows; ++R) {
#pragma unroll
    for (int I = 0; I < RowWords / 4; ++I)
      Mine[R * (RowWords / 4) + I] =
          make_uint4(S[4 * I], S[4 * I + 1], S[4 * I + 2], S[4 * I + 3]);
    mix(S);
  }
  for (int R = 0; R < Rows; ++R) {
    const int J = S[0] % Rows;
#pragma unroll
    for (int I = 0; I < RowWords / 4; ++I) {
      const uint4 V = Mine[J * (RowWords / 4) + I];
      S[4 * I] ^= V.x;
      S[4 * I + 1] ^= V.y;
      S[4 * I + 2] ^= V.z;
      S[4 * I + 3] ^= V.w;
    }
    mix(S);
  }
#pragma unroll
  for (int I = 0; I < RowWords; ++I)
    Digests[I * Threads + T] = S[I];
}

__global__ void after(const uint32_t *Seeds, uint32_t *Scratch,
                      uint32_t *Digests) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t *Mine = Scratch + T;
  uint32_t S[RowWords];
#pragma unroll
  for (int I = 0; I < RowWords; ++I)
    S[I] = Seeds[I * Threads + T];
  for (int R = 0; R < Rows; ++R) {
#pragma unroll
    for (int I = 0; I < RowWords; ++I)
      Mine[size_t(R * RowWords + I) * Threads] = S[I];
    mix(S);
  }
  for (int R = 0; R < Rows; ++R) {
    const int J = S[0] % Rows;
#pragma unroll
    for (int I = 0; I < RowWords; ++I)
      S[I] ^= Mine[size_t(J * RowWords + I) * Threads];
    mix(S);
  }
#pragma unroll
  for (int I = 0; I < RowWords; ++I)
    Digests[I * Threads + T] = S[I];
}

int main() {
  constexpr size_t Words = size_t(Threads) * RowWords;
  const uint32_t *Seeds = input<uint32_t>(Words, ~0u);
  uint32_t *Scratch = output<uint32_t>(Words * Rows);
  uint32_t *Expected = output<uint32_t>(Words), *Out = output<uint32_t>(Words);
  Pair P("memory-hard-hash-interleaved");
  P.same(Expected, Out, Words);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 64, 64>>>(Seeds, (uint4 *)Scratch, Expected);
    else
      after<<<Threads / 64, 64>>>(Seeds, Scratch, Out);
}
