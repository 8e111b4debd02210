// Rule: cuda-memory-gather
// A proof of work that mixes 32 pages of 128 bytes, each chosen by the mix so
// far, out of a data set larger than L2. A thread reads its pages alone with
// eight loads, or eight lanes share a hash and read 16 bytes of a page each.
// Options: --buffer=Pages=random,count=33554432,below=4294967295
#include "Pair.cuh"

constexpr int Hashes = 1 << 16, PageCount = 1 << 20, Steps = 32, Lanes = 8;
constexpr int Block = 128;

__device__ uint32_t fnv(uint32_t A, uint32_t B) { return A * 0x01000193u ^ B; }

__device__ uint4 fnv(uint4 A, uint4 B) {
  return make_uint4(fnv(A.x, B.x), fnv(A.y, B.y), fnv(A.z, B.z), fnv(A.w, B.w));
}

__device__ uint4 seeded(uint2 Seed, int Lane) {
  return make_uint4(Seed.x + Lane, Seed.y ^ Lane, fnv(Seed.x, Lane),
                    fnv(Seed.y, Lane));
}

__device__ uint32_t digest(uint4 Mix) {
  return fnv(fnv(fnv(Mix.x, Mix.y), Mix.z), Mix.w);
}

__global__ void before(const uint2 *__restrict__ Seeds,
                       const uint4 *__restrict__ Pages,
                       uint4 *__restrict__ Digests) {
  const int Hash = blockIdx.x * Block + threadIdx.x;
  const uint2 Seed = Seeds[Hash];
  uint4 Mix[Lanes];
#pragma unroll
  for (int L = 0; L < Lanes; ++L)
    Mix[L] = seeded(Seed, L);
  for (int Step = 0; Step < Steps; Step += Lanes)
#pragma unroll
    for (int Turn = 0; Turn < Lanes; ++Turn) {
      const uint32_t Page =
          fnv(Seed.x ^ (Step + Turn), Mix[Turn].x) % PageCount;
#pragma unroll
      for (int L = 0; L < Lanes; ++L)
        Mix[L] = fnv(Mix[L], Pages[Page * Lanes + L]);
    }
  Digests[Hash * 2] = make_uint4(digest(Mix[0]), digest(Mix[1]), digest(Mix[2]),
                                 digest(Mix[3]));
  Digests[Hash * 2 + 1] = make_uint4(digest(Mix[4]), digest(Mix[5]),
                                     digest(Mix[6]), digest(Mix[7]));
}

__global__ void after(const uint2 *__restrict__ Seeds,
                      const uint4 *__restrict__ Pages,
                      uint32_t *__restrict__ Digests) {
  const int Thread = blockIdx.x * Block + threadIdx.x;
  const int Hash = Thread / Lanes, L = Thread % Lanes;
  const uint2 Seed = Seeds[Hash];
  uint4 Mix = seeded(Seed, L);
  for (int Step = 0; Step < Steps; Step += Lanes)
#pragma unroll
    for (int Turn = 0; Turn < Lanes; ++Turn) {
      const uint32_t Chooser = __shfl_sync(0xffffffff, Mix.x, Turn, Lanes);
      const uint32_t Page = fnv(Seed.x ^ (Step + Turn), Chooser) % PageCount;
      Mix = fnv(Mix, Pages[Page * Lanes + L]);
    }
  Digests[Thread] = digest(Mix);
}

int main() {
  const uint2 *Seeds =
      (const uint2 *)input<uint32_t>(size_t(2) * Hashes, 0xffffffffu);
  const uint4 *Pages =
      (const uint4 *)input<uint32_t>(size_t(32) * PageCount, 0xffffffffu);
  uint32_t *Expected = output<uint32_t>(Hashes * Lanes),
           *Out = output<uint32_t>(Hashes * Lanes);
  Pair P("mining-pages-by-eight-lanes");
  P.same(Expected, Out, Hashes * Lanes);
  while (P.next())
    if (P.beforesTurn())
      before<<<Hashes / Block, Block>>>(Seeds, Pages, (uint4 *)Expected);
    else
      after<<<Hashes * Lanes / Block, Block>>>(Seeds, Pages, Out);
}
