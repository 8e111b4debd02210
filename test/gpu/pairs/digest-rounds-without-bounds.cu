// Rule: cuda-memory-register-spill
// 80 rounds of a digest like SHA-512 over blocks of sixteen words of 64 bits,
// a block a thread: bounds for three blocks of 512 threads leave 40 registers
// for what takes more, or there are no bounds and smaller blocks.
#include "Pair.cuh"

constexpr int N = 1 << 17;

__device__ uint64_t turned(uint64_t V, int By) {
  return V >> By | V << (64 - By);
}

__device__ void digest(const uint64_t *In, uint64_t *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t W[16], S[8];
#pragma unroll
  for (int I = 0; I < 16; ++I)
    W[I] = In[I * N + T];
#pragma unroll
  for (int I = 0; I < 8; ++I)
    S[I] = 0x6a09e667f3bcc908 + 0x51ed270b * I;
#pragma unroll
  for (int R = 0; R < 80; ++R) {
    if (R >= 16) {
      const uint64_t A = W[(R + 1) % 16], B = W[(R + 14) % 16];
      W[R % 16] += (turned(A, 1) ^ turned(A, 8) ^ A >> 7) + W[(R + 9) % 16] +
                   (turned(B, 19) ^ turned(B, 61) ^ B >> 6);
    }
    const uint64_t A = S[0], E = S[4];
    const uint64_t First = S[7] + W[R % 16] + 0x9e3779b97f4a7c15 * (R + 1) +
                           (turned(E, 14) ^ turned(E, 18) ^ turned(E, 41)) +
                           ((E & S[5]) ^ (~E & S[6]));
    const uint64_t Second = (turned(A, 28) ^ turned(A, 34) ^ turned(A, 39)) +
                            ((A & S[1]) ^ (A & S[2]) ^ (S[1] & S[2]));
#pragma unroll
    for (int I = 7; I > 0; --I)
      S[I] = S[I - 1];
    S[4] += First;
    S[0] = First + Second;
  }
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Out[I * N + T] = S[I];
}

__global__ void __launch_bounds__(512, 3)
    before(const uint64_t *In, uint64_t *Out) {
  digest(In, Out);
}

__global__ void after(const uint64_t *In, uint64_t *Out) { digest(In, Out); }

int main() {
  const uint64_t *In = input<uint64_t>(16 * N, ~0u);
  uint64_t *Expected = output<uint64_t>(8 * N), *Out = output<uint64_t>(8 * N);
  Pair P("digest-rounds-without-bounds");
  P.same(Expected, Out, 8 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}
