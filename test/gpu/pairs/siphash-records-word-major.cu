// Rule: cuda-memory-uncoalesced-access
// SipHash-2-4 of records of 64 bytes, one a thread: the eight words of a
// record lie together, or the first words of all records before the second.
#include "Pair.cuh"

constexpr int N = 1 << 19, Words = 8;

__device__ uint64_t turned(uint64_t V, int By) {
  return V << By | V >> (64 - By);
}

struct SipState {
  uint64_t A, B, C, D;

  __device__ void round() {
    A += B, B = turned(B, 13) ^ A, A = turned(A, 32);
    C += D, D = turned(D, 16) ^ C;
    A += D, D = turned(D, 21) ^ A;
    C += B, B = turned(B, 17) ^ C, C = turned(C, 32);
  }
};

template <class F>
__device__ uint64_t sipHash(F Word, uint64_t K0, uint64_t K1) {
  SipState S = {K0 ^ 0x736f6d6570736575, K1 ^ 0x646f72616e646f6d,
                K0 ^ 0x6c7967656e657261, K1 ^ 0x7465646279746573};
  for (int I = 0; I <= Words; ++I) {
    const uint64_t M = I < Words ? Word(I) : uint64_t(64) << 56;
    S.D ^= M;
    S.round(), S.round();
    S.A ^= M;
  }
  S.C ^= 0xff;
  for (int I = 0; I < 4; ++I)
    S.round();
  return S.A ^ S.B ^ S.C ^ S.D;
}

__global__ void before(const uint64_t *In, uint64_t *Out, uint64_t Key) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = sipHash([&](int W) { return In[I * Words + W]; }, Key, ~Key);
}

__global__ void after(const uint64_t *In, uint64_t *Out, uint64_t Key) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = sipHash([&](int W) { return In[W * N + I]; }, Key, ~Key);
}

int main() {
  const uint64_t *In = input<uint64_t>(N * Words, ~0u);
  const uint64_t *Turned = arranged(
      In, N * Words, N * Words, [](size_t I) { return I % N * Words + I / N; });
  uint64_t *Expected = output<uint64_t>(N), *Out = output<uint64_t>(N);
  Pair P("siphash-records-word-major");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected, 0x0706050403020100);
    else
      after<<<N / 256, 256>>>(Turned, Out, 0x0706050403020100);
}
