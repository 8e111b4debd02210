// Rule: cuda-memory-constant-candidate
// A million nonces hashed by SHA-256, all rounds unrolled: the 64 constants of
// the rounds are read from global memory or from constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__constant__ uint32_t Near[64];

#define TURN(X, B) __funnelshift_r(X, X, B)

#define HASH(K, Nonce, Result)                                                 \
  uint32_t W[16] = {Nonce, ~Nonce, 0x80000000u, 0,          0, 0, 0, 0,        \
                    0,     0,      0,           0x5bd1e995, 0, 0, 0, 64};      \
  uint32_t A = 0x6a09e667, B = 0xbb67ae85, C = 0x3c6ef372, D = 0xa54ff53a;     \
  uint32_t E = 0x510e527f, F = 0x9b05688c, G = 0x1f83d9ab, H = 0x5be0cd19;     \
  _Pragma("unroll") for (int R = 0; R < 64; ++R) {                             \
    if (R >= 16) {                                                             \
      const uint32_t X = W[(R + 1) % 16], Y = W[(R + 14) % 16];                \
      W[R % 16] += (TURN(X, 7) ^ TURN(X, 18) ^ X >> 3) + W[(R + 9) % 16] +     \
                   (TURN(Y, 17) ^ TURN(Y, 19) ^ Y >> 10);                      \
    }                                                                          \
    const uint32_t T = H + (TURN(E, 6) ^ TURN(E, 11) ^ TURN(E, 25)) +          \
                       ((E & F) ^ (~E & G)) + (K)[R] + W[R % 16];              \
    const uint32_t U = (TURN(A, 2) ^ TURN(A, 13) ^ TURN(A, 22)) +              \
                       ((A & B) ^ (A & C) ^ (B & C));                          \
    H = G, G = F, F = E, E = D + T;                                            \
    D = C, C = B, B = A, A = T + U;                                            \
  }                                                                            \
  Result = A ^ B ^ C ^ D ^ E ^ F ^ G ^ H;

__global__ void before(const uint32_t *__restrict__ Constants, uint32_t First,
                       uint32_t *__restrict__ Digest) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Nonce = First + I;
  HASH(Constants, Nonce, Digest[I])
}

__global__ void after(uint32_t First, uint32_t *__restrict__ Digest) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Nonce = First + I;
  HASH(Near, Nonce, Digest[I])
}

int main() {
  std::vector<uint32_t> Constants;
  for (int Number = 2; Constants.size() < 64; ++Number) {
    bool Prime = true;
    for (int Factor = 2; Factor < Number; ++Factor)
      Prime &= Number % Factor != 0;
    const long double Root = std::cbrt((long double)Number);
    if (Prime)
      Constants.push_back(uint32_t((Root - std::floor(Root)) * 4294967296.0L));
  }
  const uint32_t *Far = onDevice(Constants);
  must(cudaMemcpyToSymbol(Near, Constants.data(), sizeof(Near)));
  uint32_t *Expected = output<uint32_t>(N), *Out = output<uint32_t>(N);
  Pair P("sha-constants-near");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Far, 12345u, Expected);
    else
      after<<<N / 128, 128>>>(12345u, Out);
}
