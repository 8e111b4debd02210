// Rule: cuda-memory-uncoalesced-access
// A million blocks of the key stream of ChaCha20, 64 bytes a thread, stored as
// sixteen words or as four groups of four.
#include "Pair.cuh"

constexpr int N = 1 << 20;

struct Key {
  uint32_t Words[8];
};

#define TURNED(X, B) __funnelshift_l(X, X, B)

__device__ __forceinline__ void quarter(uint32_t &A, uint32_t &B, uint32_t &C,
                                        uint32_t &D) {
  A += B, D ^= A, D = TURNED(D, 16);
  C += D, B ^= C, B = TURNED(B, 12);
  A += B, D ^= A, D = TURNED(D, 8);
  C += D, B ^= C, B = TURNED(B, 7);
}

__device__ __forceinline__ void keystream(const Key &K, uint32_t Counter,
                                          uint32_t (&X)[16]) {
  const uint32_t First[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
                              K.Words[0], K.Words[1], K.Words[2], K.Words[3],
                              K.Words[4], K.Words[5], K.Words[6], K.Words[7],
                              Counter,    0x01020304, 0x05060708, 0x090a0b0c};
#pragma unroll
  for (int W = 0; W < 16; ++W)
    X[W] = First[W];
#pragma unroll
  for (int Round = 0; Round < 10; ++Round) {
#pragma unroll
    for (int C = 0; C < 4; ++C)
      quarter(X[C], X[4 + C], X[8 + C], X[12 + C]);
#pragma unroll
    for (int C = 0; C < 4; ++C)
      quarter(X[C], X[4 + (C + 1) % 4], X[8 + (C + 2) % 4],
              X[12 + (C + 3) % 4]);
  }
#pragma unroll
  for (int W = 0; W < 16; ++W)
    X[W] += First[W];
}

__global__ void before(Key K, uint32_t *__restrict__ Stream) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t X[16];
  keystream(K, I, X);
#pragma unroll
  for (int W = 0; W < 16; ++W)
    Stream[16 * I + W] = X[W];
}

__global__ void after(Key K, uint4 *__restrict__ Stream) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t X[16];
  keystream(K, I, X);
#pragma unroll
  for (int W = 0; W < 4; ++W)
    Stream[4 * I + W] =
        make_uint4(X[4 * W], X[4 * W + 1], X[4 * W + 2], X[4 * W + 3]);
}

int main() {
  Key K;
  for (int W = 0; W < 8; ++W)
    K.Words[W] = mixed(W);
  uint32_t *Expected = output<uint32_t>(16 * N),
           *Out = output<uint32_t>(16 * N);
  Pair P("chacha-blocks-uint4");
  P.same(Expected, Out, 16 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(K, Expected);
    else
      after<<<N / 256, 256>>>(K, (uint4 *)Out);
}
