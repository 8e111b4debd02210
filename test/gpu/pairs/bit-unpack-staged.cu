// Rule: cuda-memory-missing-reuse
// A column of numbers packed in 13 bits: each reads the two words that it may
// lie in, which its neighbours read too; or a block copies its 105 words first.
#include "Pair.cuh"

constexpr int N = 1 << 23, Bits = 13, BlockWords = 256 * Bits / 32;

__global__ void before(const unsigned *Packed, unsigned *Out) {
  const unsigned I = blockIdx.x * 256 + threadIdx.x, At = I * Bits;
  const unsigned Two =
      __funnelshift_r(Packed[At / 32], Packed[At / 32 + 1], At % 32);
  Out[I] = Two & ((1 << Bits) - 1);
}

__global__ void after(const unsigned *Packed, unsigned *Out) {
  __shared__ unsigned Words[BlockWords + 1];
  if (threadIdx.x <= BlockWords)
    Words[threadIdx.x] = Packed[blockIdx.x * BlockWords + threadIdx.x];
  __syncthreads();
  const unsigned At = threadIdx.x * Bits;
  const unsigned Two =
      __funnelshift_r(Words[At / 32], Words[At / 32 + 1], At % 32);
  Out[blockIdx.x * 256 + threadIdx.x] = Two & ((1 << Bits) - 1);
}

int main() {
  const unsigned *Packed = input<unsigned>(N / 32 * Bits + 1, ~0u);
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("bit-unpack-staged");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Packed, Expected);
    else
      after<<<N / 256, 256>>>(Packed, Out);
}
