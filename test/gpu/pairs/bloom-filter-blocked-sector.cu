// Rule: cuda-memory-gather
// Keys of a join's probe side are tried in a Bloom filter of 128 MB, half of
// them in vain. The eight bits of a key are anywhere in the filter, eight
// sectors from DRAM, or one in each word of a single sector of 32 bytes.
// Options: --buffer=Key=random,count=2097152,below=4294967295
#include "Pair.cuh"

constexpr int Probes = 1 << 21, Bits = 8;
constexpr uint32_t Words = 1u << 25, Blocks = Words / 8;

struct Hashes {
  uint32_t First, Second;
};

__host__ __device__ inline Hashes hashes(uint64_t Key) {
  return {mixed(Key), mixed(Key ^ 0x5851f42d4c957f2d) | 1};
}

/// The \p I-th bit of a key where all the filter is one.
__host__ __device__ inline uint32_t anywhere(Hashes H, uint32_t I) {
  return (H.First + I * H.Second) % (Words * 32);
}

/// The bit of word \p I of a key's sector.
__host__ __device__ inline uint32_t inWord(Hashes H, uint32_t I) {
  constexpr uint32_t Salts[Bits] = {0x9e3779b1, 0x85ebca77, 0xc2b2ae3d,
                                    0x27d4eb2f, 0x165667b1, 0xd3a2646d,
                                    0xfd7046c5, 0xb55a4f09};
  return 1u << (H.Second * Salts[I] >> 27);
}

__host__ __device__ inline uint32_t sector(Hashes H) {
  return H.First % Blocks;
}

__global__ void before(const uint64_t *__restrict__ Key,
                       const uint32_t *__restrict__ Filter,
                       uint32_t *__restrict__ Found) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Hashes H = hashes(Key[I]);
  bool Maybe = true;
  for (uint32_t B = 0; B < Bits && Maybe; ++B) {
    const uint32_t Bit = anywhere(H, B);
    Maybe = Filter[Bit / 32] >> Bit % 32 & 1;
  }
  const uint32_t Ballot = __ballot_sync(0xffffffff, Maybe);
  if (I % 32 == 0)
    Found[I / 32] = Ballot;
}

__global__ void after(const uint64_t *__restrict__ Key,
                      const uint4 *__restrict__ Filter,
                      uint32_t *__restrict__ Found) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Hashes H = hashes(Key[I]);
  const uint4 Low = Filter[2 * sector(H)], High = Filter[2 * sector(H) + 1];
  const uint32_t Word[Bits] = {Low.x,  Low.y,  Low.z,  Low.w,
                               High.x, High.y, High.z, High.w};
  bool Maybe = true;
#pragma unroll
  for (uint32_t B = 0; B < Bits; ++B)
    Maybe &= (Word[B] & inWord(H, B)) != 0;
  const uint32_t Ballot = __ballot_sync(0xffffffff, Maybe);
  if (I % 32 == 0)
    Found[I / 32] = Ballot;
}

int main() {
  std::vector<uint64_t> Keys(Probes);
  std::vector<uint32_t> Whole(Words), Blocked(Words);
  for (int I = 0; I < Probes; ++I) {
    Keys[I] = uint64_t(mixed(I)) << 32 | mixed(I + (uint64_t(1) << 40));
    if (mixed(I + (uint64_t(1) << 41)) % 2)
      continue;
    const Hashes H = hashes(Keys[I]);
    for (int B = 0; B < Bits; ++B) {
      const uint32_t Bit = anywhere(H, B);
      Whole[Bit / 32] |= 1u << Bit % 32;
      Blocked[sector(H) * 8 + B] |= inWord(H, B);
    }
  }
  const uint64_t *Key = onDevice(Keys);
  const uint32_t *Filter = onDevice(Whole), *Sectors = onDevice(Blocked);
  uint32_t *Expected = output<uint32_t>(Probes / 32),
           *Out = output<uint32_t>(Probes / 32);
  Pair P("bloom-filter-blocked-sector");
  P.same(Expected, Out, Probes / 32);
  while (P.next())
    if (P.beforesTurn())
      before<<<Probes / 256, 256>>>(Key, Filter, Expected);
    else
      after<<<Probes / 256, 256>>>(Key, (const uint4 *)Sectors, Out);
}
