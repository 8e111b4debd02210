// Rule: cuda-memory-local-array
// BLAKE2s of a million messages of one block: the rounds are a loop that picks
// words of the message by a table, or unrolled, so that the message stays in
// registers instead of local memory.
#include "Pair.cuh"

constexpr int N = 1 << 20;

struct Schedule {
  unsigned char At[10][16];
};

constexpr Schedule Order = {
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
     {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
     {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
     {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
     {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
     {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
     {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
     {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
     {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}}};

__constant__ Schedule Sigma = Order;
__constant__ uint32_t Start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                  0xa54ff53a, 0x510e527f, 0x9b05688c,
                                  0x1f83d9ab, 0x5be0cd19};

__device__ uint32_t turned(uint32_t Word, int By) {
  return __funnelshift_r(Word, Word, By);
}

__device__ void mix(uint32_t &A, uint32_t &B, uint32_t &C, uint32_t &D,
                    uint32_t X, uint32_t Y) {
  A += B + X;
  D = turned(D ^ A, 16);
  C += D;
  B = turned(B ^ C, 12);
  A += B + Y;
  D = turned(D ^ A, 8);
  C += D;
  B = turned(B ^ C, 7);
}

__device__ void oneRound(uint32_t *V, const uint32_t *M,
                         const unsigned char *S) {
  mix(V[0], V[4], V[8], V[12], M[S[0]], M[S[1]]);
  mix(V[1], V[5], V[9], V[13], M[S[2]], M[S[3]]);
  mix(V[2], V[6], V[10], V[14], M[S[4]], M[S[5]]);
  mix(V[3], V[7], V[11], V[15], M[S[6]], M[S[7]]);
  mix(V[0], V[5], V[10], V[15], M[S[8]], M[S[9]]);
  mix(V[1], V[6], V[11], V[12], M[S[10]], M[S[11]]);
  mix(V[2], V[7], V[8], V[13], M[S[12]], M[S[13]]);
  mix(V[3], V[4], V[9], V[14], M[S[14]], M[S[15]]);
}

__device__ void begin(uint32_t *V, uint32_t *M, const uint32_t *Message) {
#pragma unroll
  for (int W = 0; W < 16; ++W)
    M[W] = Message[W * N];
#pragma unroll
  for (int W = 0; W < 8; ++W)
    V[W] = V[W + 8] = Start[W];
  V[0] ^= 0x01010020;
  V[12] ^= 64;
  V[14] = ~V[14];
}

__device__ void finish(const uint32_t *V, uint32_t *Digest) {
#pragma unroll
  for (int W = 0; W < 8; ++W)
    Digest[W * N] =
        Start[W] ^ (W == 0 ? 0x01010020 : 0) ^ V[W] ^ V[W + 8];
}

__global__ void before(const uint32_t *Messages, uint32_t *Digests) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  uint32_t V[16], M[16];
  begin(V, M, Messages + I);
  for (int R = 0; R < 10; ++R)
    oneRound(V, M, Sigma.At[R]);
  finish(V, Digests + I);
}

__global__ void after(const uint32_t *Messages, uint32_t *Digests) {
  constexpr Schedule Known = Order;
  const int I = blockIdx.x * 256 + threadIdx.x;
  uint32_t V[16], M[16];
  begin(V, M, Messages + I);
#pragma unroll
  for (int R = 0; R < 10; ++R)
    oneRound(V, M, Known.At[R]);
  finish(V, Digests + I);
}

int main() {
  const uint32_t *Messages = input<uint32_t>(16 * N, 0xffffffff);
  uint32_t *Expected = output<uint32_t>(8 * N), *Out = output<uint32_t>(8 * N);
  Pair P("blake2-schedule-unrolled");
  P.same(Expected, Out, 8 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Messages, Expected);
    else
      after<<<N / 256, 256>>>(Messages, Out);
}
