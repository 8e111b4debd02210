// Rule: cuda-memory-small-block
// Proof of work: each thread hashes its number through 96 rounds and keeps how
// many zeros the result begins with, in blocks of a warp or of eight.
#include "Pair.cuh"

constexpr int N = 1 << 19, Rounds = 96;

__device__ void mine(uint32_t Header, uint8_t *Zeros) {
  const uint32_t I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t A = Header, B = I, C = ~I, D = Header * 31 + I;
#pragma unroll 8
  for (int R = 0; R < Rounds; ++R) {
    A += B, D = __funnelshift_l(D ^ A, D ^ A, 16);
    C += D, B = __funnelshift_l(B ^ C, B ^ C, 12);
    A += B + R, D = __funnelshift_l(D ^ A, D ^ A, 8);
    C += D, B = __funnelshift_l(B ^ C, B ^ C, 7);
  }
  Zeros[I] = uint8_t(__clz(A ^ B ^ C ^ D));
}

__global__ void before(uint32_t Header, uint8_t *Zeros) { mine(Header, Zeros); }

__global__ void after(uint32_t Header, uint8_t *Zeros) { mine(Header, Zeros); }

int main() {
  uint8_t *Expected = output<uint8_t>(N), *Out = output<uint8_t>(N);
  Pair P("proof-of-work-block-256");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 32, 32>>>(0x20000004, Expected);
    else
      after<<<N / 256, 256>>>(0x20000004, Out);
}
