// Rule: cuda-memory-narrow-access
// The two syndromes of a RAID-6 stripe of six disks, P by exclusive or and Q
// by Horner's rule over GF(2^8): a thread takes one byte of each disk, or
// sixteen, multiplying four bytes at a time within a word.
#include "Pair.cuh"

constexpr int Disks = 6;
constexpr size_t Bytes = size_t(8) << 20;

__global__ void before(const uint8_t *Data, uint8_t *P, uint8_t *Q,
                       size_t Size) {
  const size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I >= Size)
    return;
  unsigned Parity = 0, Syndrome = 0;
#pragma unroll
  for (int D = Disks - 1; D >= 0; --D) {
    const unsigned Byte = Data[D * Size + I];
    Parity ^= Byte;
    Syndrome =
        ((Syndrome << 1) ^ (Syndrome & 0x80 ? 0x1d : 0)) & 0xff;
    Syndrome ^= Byte;
  }
  P[I] = uint8_t(Parity);
  Q[I] = uint8_t(Syndrome);
}

__device__ unsigned doubled(unsigned Four) {
  const unsigned High = Four & 0x80808080u;
  return ((Four & 0x7f7f7f7fu) << 1) ^ ((High >> 7) * 0x1du);
}

__device__ uint4 xored(uint4 A, uint4 B) {
  return make_uint4(A.x ^ B.x, A.y ^ B.y, A.z ^ B.z, A.w ^ B.w);
}

__global__ void after(const uint4 *Data, uint4 *P, uint4 *Q, size_t Size) {
  const size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I >= Size)
    return;
  uint4 Parity = make_uint4(0, 0, 0, 0), Syndrome = Parity;
#pragma unroll
  for (int D = Disks - 1; D >= 0; --D) {
    const uint4 Piece = Data[D * Size + I];
    Parity = xored(Parity, Piece);
    Syndrome = xored(make_uint4(doubled(Syndrome.x), doubled(Syndrome.y),
                                doubled(Syndrome.z), doubled(Syndrome.w)),
                     Piece);
  }
  P[I] = Parity;
  Q[I] = Syndrome;
}

int main() {
  const uint8_t *Data = input<uint8_t>(Disks * Bytes, 256);
  uint8_t *Expected = output<uint8_t>(2 * Bytes),
          *Out = output<uint8_t>(2 * Bytes);
  Pair P("raid-syndromes-by-sixteen");
  P.same(Expected, Out, 2 * Bytes);
  while (P.next())
    if (P.beforesTurn())
      before<<<Bytes / 256, 256>>>(Data, Expected, Expected + Bytes, Bytes);
    else
      after<<<Bytes / 16 / 256, 256>>>(
          reinterpret_cast<const uint4 *>(Data),
          reinterpret_cast<uint4 *>(Out),
          reinterpret_cast<uint4 *>(Out + Bytes), Bytes / 16);
}
