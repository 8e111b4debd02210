// Rule: cuda-memory-local-array
// Messages of any length up to 55 bytes are padded to a block of 64, one a
// thread, and mixed as MD5 does: into bytes of a private array, or into words,
// from words of memory and masks.
#include "Pair.cuh"

constexpr int N = 1 << 18;

__device__ uint32_t digest(const uint32_t (&M)[16]) {
  uint32_t A = 0x67452301, B = 0xefcdab89, C = 0x98badcfe, D = 0x10325476;
#pragma unroll
  for (int I = 0; I < 64; ++I) {
    const uint32_t F = I < 16   ? (B & C) | (~B & D)
                       : I < 32 ? (D & B) | (~D & C)
                       : I < 48 ? B ^ C ^ D
                                : C ^ (B | ~D);
    const int From = I < 16   ? I
                     : I < 32 ? (5 * I + 1) % 16
                     : I < 48 ? (3 * I + 5) % 16
                              : 7 * I % 16;
    const uint32_t Sum = A + F + M[From] + 0x9e3779b9 * (I + 1);
    A = D, D = C, C = B;
    B += __funnelshift_l(Sum, Sum, 5 + I % 4 * 5);
  }
  return A ^ B ^ C ^ D;
}

__global__ void before(const uint32_t *Text, const uint8_t *Lengths,
                       uint32_t *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x, Length = Lengths[T];
  uint8_t Block[64];
  for (int I = 0; I < 64; ++I)
    Block[I] = 0;
  for (int I = 0; I < Length; ++I)
    Block[I] = uint8_t(Text[I / 4 * N + T] >> 8 * (I % 4));
  Block[Length] = 0x80;
  Block[56] = uint8_t(Length * 8);
  Block[57] = uint8_t(Length >> 5);
  uint32_t M[16];
  for (int I = 0; I < 16; ++I)
    M[I] = Block[I * 4] | Block[I * 4 + 1] << 8 | Block[I * 4 + 2] << 16 |
           uint32_t(Block[I * 4 + 3]) << 24;
  Out[T] = digest(M);
}

__global__ void after(const uint32_t *Text, const uint8_t *Lengths,
                      uint32_t *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x, Length = Lengths[T];
  uint32_t M[16] = {};
#pragma unroll
  for (int I = 0; I < 14; ++I) {
    const int Left = Length - I * 4;
    if (Left > 0)
      M[I] = Text[I * N + T];
    if (Left >= 0 && Left < 4)
      M[I] = (M[I] & ((1u << 8 * Left) - 1)) | 0x80u << 8 * Left;
  }
  M[14] = Length * 8;
  Out[T] = digest(M);
}

int main() {
  const uint32_t *Text = input<uint32_t>(14 * N, ~0u);
  const uint8_t *Lengths = input<uint8_t>(N, 56);
  uint32_t *Expected = output<uint32_t>(N), *Out = output<uint32_t>(N);
  Pair P("message-block-by-words");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Text, Lengths, Expected);
    else
      after<<<N / 128, 128>>>(Text, Lengths, Out);
}
