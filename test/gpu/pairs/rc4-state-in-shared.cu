// Rule: cuda-memory-local-array
// RC4 for 65536 streams, a thread each: the 256 bytes of a stream's state lie
// in local memory or in shared memory.
#include "Pair.cuh"

constexpr int N = 1 << 16, Threads = 64, Words = 32;

/// Byte B of the state is State[B * Stride].
template <int Stride>
__device__ __forceinline__ void
encrypted(unsigned char *State, const uint32_t *Keys, uint32_t *Out, int I) {
  uint32_t Key[4];
  for (int W = 0; W < 4; ++W)
    Key[W] = Keys[W * N + I];
  for (int B = 0; B < 256; ++B)
    State[B * Stride] = B;
  unsigned J = 0;
  for (int First = 0; First < 256; First += 16)
#pragma unroll
    for (int K = 0; K < 16; ++K) {
      const int B = First + K;
      const unsigned char Old = State[B * Stride];
      J = (J + Old + (Key[K / 4] >> K % 4 * 8)) & 255;
      State[B * Stride] = State[J * Stride];
      State[J * Stride] = Old;
    }
  unsigned A = 0, B = 0;
  for (int W = 0; W < Words; ++W) {
    uint32_t Word = 0;
    for (int Byte = 0; Byte < 4; ++Byte) {
      A = (A + 1) & 255;
      const unsigned X = State[A * Stride];
      B = (B + X) & 255;
      const unsigned Y = State[B * Stride];
      State[A * Stride] = Y;
      State[B * Stride] = X;
      Word = Word << 8 | State[((X + Y) & 255) * Stride];
    }
    Out[W * N + I] = Word;
  }
}

__global__ void before(const uint32_t *Keys, uint32_t *Out) {
  unsigned char State[256];
  encrypted<1>(State, Keys, Out, blockIdx.x * Threads + threadIdx.x);
}

__global__ void after(const uint32_t *Keys, uint32_t *Out) {
  __shared__ unsigned char States[256 * Threads];
  encrypted<Threads>(States + threadIdx.x, Keys, Out,
                     blockIdx.x * Threads + threadIdx.x);
}

int main() {
  const uint32_t *Keys = input<uint32_t>(4 * N, ~0u);
  uint32_t *Expected = output<uint32_t>(N * Words),
           *Out = output<uint32_t>(N * Words);
  Pair P("rc4-state-in-shared");
  P.same(Expected, Out, N * Words);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Keys, Expected);
    else
      after<<<N / Threads, Threads>>>(Keys, Out);
}
