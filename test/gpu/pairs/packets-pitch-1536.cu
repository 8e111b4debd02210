// Rule: cuda-memory-misaligned
// Checksums of network packets of 1514 bytes, a warp each, by words of 16
// bits: packets follow each other and the payload begins 14 bytes into them,
// or they are 1536 bytes apart and the payload begins with a line.
#include "Pair.cuh"

constexpr int Packets = 1 << 15, Words = 750, Tight = 757, Wide = 768;

__device__ void checksum(const uint16_t *Payload, uint16_t *Sum) {
  uint32_t Mine = 0;
  for (int I = threadIdx.x; I < Words; I += 32)
    Mine += Payload[I];
  Mine = __reduce_add_sync(~0u, Mine);
  Mine = (Mine & 0xffff) + (Mine >> 16);
  Mine = (Mine & 0xffff) + (Mine >> 16);
  if (threadIdx.x == 0)
    *Sum = uint16_t(~Mine);
}

__global__ void before(const uint16_t *In, uint16_t *Sums) {
  const int Packet = blockIdx.x * blockDim.y + threadIdx.y;
  checksum(In + Packet * Tight + 7, Sums + Packet);
}

__global__ void after(const uint16_t *In, uint16_t *Sums) {
  const int Packet = blockIdx.x * blockDim.y + threadIdx.y;
  checksum(In + Packet * Wide, Sums + Packet);
}

int main() {
  const uint16_t *In = input<uint16_t>(Packets * Tight, 65536);
  const uint16_t *Spread =
      arranged(In, Packets * Tight, Packets * Wide, [](size_t I) {
        return I / Wide * Tight + (I % Wide < Words ? 7 + I % Wide : 0);
      });
  uint16_t *Expected = output<uint16_t>(Packets),
           *Out = output<uint16_t>(Packets);
  Pair P("packets-pitch-1536");
  P.same(Expected, Out, Packets);
  while (P.next())
    if (P.beforesTurn())
      before<<<Packets / 8, dim3(32, 8)>>>(In, Expected);
    else
      after<<<Packets / 8, dim3(32, 8)>>>(Spread, Out);
}
