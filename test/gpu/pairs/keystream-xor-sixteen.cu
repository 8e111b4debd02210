// Rule: cuda-memory-narrow-access
// A file of 32 MB is combined with the stream of a cipher, a byte a thread or
// sixteen.
#include "Pair.cuh"

constexpr int N = 1 << 25;

__global__ void before(const uint8_t *__restrict__ Text,
                       const uint8_t *__restrict__ Stream,
                       uint8_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Text[I] ^ Stream[I];
}

__global__ void after(const uint4 *__restrict__ Text,
                      const uint4 *__restrict__ Stream,
                      uint4 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 A = Text[I], B = Stream[I];
  Out[I] = make_uint4(A.x ^ B.x, A.y ^ B.y, A.z ^ B.z, A.w ^ B.w);
}

int main() {
  const uint8_t *Text = input<uint8_t>(N, 128),
                *Stream = input<uint8_t>(N + 64, 256) + 64;
  uint8_t *Expected = output<uint8_t>(N), *Out = output<uint8_t>(N);
  Pair P("keystream-xor-sixteen");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Text, Stream, Expected);
    else
      after<<<N / 4096, 256>>>((const uint4 *)Text, (const uint4 *)Stream,
                               (uint4 *)Out);
}
