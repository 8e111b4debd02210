// Rule: cuda-memory-bank-conflict
// Counters are encrypted by a table of 256 words in shared memory, as AES
// does: all lanes look into one table, or each lane has a copy in its bank.
#include "Pair.cuh"

constexpr int Blocks = 264, Threads = 512, Each = 4, Rounds = 10;

template <class F>
__device__ void encrypt(const uint32_t *Keys, uint4 *Out, F Look) {
  for (int E = 0; E < Each; ++E) {
    const uint32_t I = (blockIdx.x * Each + E) * Threads + threadIdx.x;
    uint32_t S[4] = {I, I ^ Keys[0], ~I, I * 3 ^ Keys[1]};
    for (int R = 0; R < Rounds; ++R) {
      uint32_t T[4];
      for (int C = 0; C < 4; ++C) {
        uint32_t Word = Keys[R * 4 + C] ^ Look(S[C] & 255);
        for (int B = 1; B < 4; ++B) {
          const uint32_t V = Look(S[(C + B) % 4] >> 8 * B & 255);
          Word ^= __funnelshift_l(V, V, 8 * B);
        }
        T[C] = Word;
      }
      for (int C = 0; C < 4; ++C)
        S[C] = T[C];
    }
    Out[I] = make_uint4(S[0], S[1], S[2], S[3]);
  }
}

__global__ void __launch_bounds__(Threads)
    before(const uint32_t *Table, const uint32_t *Keys, uint4 *Out) {
  __shared__ uint32_t Copy[256];
  if (threadIdx.x < 256)
    Copy[threadIdx.x] = Table[threadIdx.x];
  __syncthreads();
  encrypt(Keys, Out, [&](uint32_t Byte) { return Copy[Byte]; });
}

__global__ void __launch_bounds__(Threads)
    after(const uint32_t *Table, const uint32_t *Keys, uint4 *Out) {
  __shared__ uint32_t Copies[256 * 32];
  for (int I = threadIdx.x; I < 256 * 32; I += Threads)
    Copies[I] = Table[I / 32];
  __syncthreads();
  const int Lane = threadIdx.x % 32;
  encrypt(Keys, Out, [&](uint32_t Byte) { return Copies[Byte * 32 + Lane]; });
}

int main() {
  const uint32_t *Table = input<uint32_t>(256, ~0u),
                 *Keys = input<uint32_t>(300, ~0u) + 256;
  constexpr int Count = Blocks * Threads * Each * 4;
  uint32_t *Expected = output<uint32_t>(Count), *Out = output<uint32_t>(Count);
  Pair P("cipher-table-by-lane");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Table, Keys, (uint4 *)Expected);
    else
      after<<<Blocks, Threads>>>(Table, Keys, (uint4 *)Out);
}
