// Rule: cuda-memory-narrow-access
// Hashes a column of strings of different lengths (FNV-1a), a thread a string:
// reads byte by byte, or aligned words that are shifted together.
#include "Pair.cuh"

constexpr int Strings = 1 << 20;

__device__ inline void digest(uint32_t &Hash, uint32_t Byte) {
  Hash = (Hash ^ Byte) * 16777619u;
}

__global__ void before(const uint8_t *__restrict__ Bytes,
                       const int *__restrict__ Offsets,
                       uint32_t *__restrict__ Hashes) {
  const int S = blockIdx.x * blockDim.x + threadIdx.x;
  if (S >= Strings)
    return;
  const int Begin = Offsets[S], End = Offsets[S + 1];
  uint32_t Hash = 2166136261u;
  for (int I = Begin; I < End; ++I)
    digest(Hash, Bytes[I]);
  Hashes[S] = Hash;
}

__global__ void after(const uint8_t *__restrict__ Bytes,
                      const int *__restrict__ Offsets,
                      uint32_t *__restrict__ Hashes) {
  const int S = blockIdx.x * blockDim.x + threadIdx.x;
  if (S >= Strings)
    return;
  const int Begin = Offsets[S], Length = Offsets[S + 1] - Begin;
  const uint32_t *Word =
      reinterpret_cast<const uint32_t *>(Bytes + (Begin & ~3));
  const int Shift = (Begin & 3) * 8;
  uint32_t Hash = 2166136261u;
  uint32_t Low = *Word++;
  int Left = Length;
  for (; Left >= 4; Left -= 4) {
    const uint32_t High = *Word++;
    const uint32_t Four = __funnelshift_r(Low, High, Shift);
    digest(Hash, Four & 255);
    digest(Hash, Four >> 8 & 255);
    digest(Hash, Four >> 16 & 255);
    digest(Hash, Four >> 24);
    Low = High;
  }
  if (Left > 0) {
    uint32_t Rest = __funnelshift_r(Low, *Word, Shift);
    for (; Left > 0; --Left, Rest >>= 8)
      digest(Hash, Rest & 255);
  }
  Hashes[S] = Hash;
}

int main() {
  std::vector<int> Offsets(Strings + 1);
  Offsets[0] = 0;
  for (int S = 0; S < Strings; ++S)
    Offsets[S + 1] = Offsets[S] + 12 + int(mixed(S) % 48);
  // Words are read up to the one after the last byte.
  const uint8_t *Bytes = input<uint8_t>(size_t(Offsets[Strings]) + 16, 256);
  const int *DeviceOffsets = onDevice(Offsets);
  uint32_t *Expected = output<uint32_t>(Strings),
           *Out = output<uint32_t>(Strings);
  Pair P("varchar-hash-by-aligned-words");
  P.same(Expected, Out, Strings);
  while (P.next())
    if (P.beforesTurn())
      before<<<Strings / 128, 128>>>(Bytes, DeviceOffsets, Expected);
    else
      after<<<Strings / 128, 128>>>(Bytes, DeviceOffsets, Out);
}
