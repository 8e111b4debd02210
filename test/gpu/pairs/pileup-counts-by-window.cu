// Rule: cuda-memory-atomic-contention
// Counts A, C, G and T over each position of a genome from reads sorted by
// where they start: every base adds to the counts in global memory, or to
// those of the window of the block's reads in shared memory, added up at last.
#include "Pair.cuh"

constexpr int Reads = 1 << 16, Length = 100, Words = 8;
constexpr int Genome = Reads * 10 / 3 + 3 + Length + 1;
constexpr int Window = 1024;

struct Alignment {
  int Start;
  uint32_t Quality;
};

__device__ inline int baseAt(const uint32_t *Packed, int I) {
  return Packed[I / 16] >> 2 * (I % 16) & 3;
}

__global__ void before(const Alignment *__restrict__ Aligned,
                       const uint32_t *__restrict__ Bases, int *Counts) {
  const int Read = blockIdx.x * blockDim.x + threadIdx.x;
  if (Read >= Reads)
    return;
  const Alignment A = Aligned[Read];
  if (A.Quality < 10)
    return;
  const uint32_t *Packed = Bases + size_t(Read) * Words;
  for (int I = 0; I < Length; ++I)
    atomicAdd(&Counts[4 * (A.Start + I) + baseAt(Packed, I)], 1);
}

__global__ void after(const Alignment *__restrict__ Aligned,
                      const uint32_t *__restrict__ Bases, int *Counts) {
  __shared__ int Local[4 * Window];
  const int First = Aligned[blockIdx.x * blockDim.x].Start;
  for (int I = threadIdx.x; I < 4 * Window; I += blockDim.x)
    Local[I] = 0;
  __syncthreads();

  const int Read = blockIdx.x * blockDim.x + threadIdx.x;
  if (Read < Reads) {
    const Alignment A = Aligned[Read];
    if (A.Quality >= 10) {
      const uint32_t *Packed = Bases + size_t(Read) * Words;
      for (int I = 0; I < Length; ++I) {
        const int Base = baseAt(Packed, I), Offset = A.Start - First + I;
        if (Offset < Window)
          atomicAdd(&Local[4 * Offset + Base], 1);
        else
          atomicAdd(&Counts[4 * (A.Start + I) + Base], 1);
      }
    }
  }
  __syncthreads();

  for (int I = threadIdx.x; I < 4 * Window; I += blockDim.x)
    if (Local[I] > 0)
      atomicAdd(&Counts[4 * First + I], Local[I]);
}

int main() {
  std::vector<Alignment> Host(Reads);
  for (int I = 0; I < Reads; ++I)
    Host[I] = {I * 10 / 3 + int(mixed(I) % 3), mixed(I + Reads) % 60};
  const Alignment *Aligned = onDevice(Host);
  const uint32_t *Bases = input<uint32_t>(Reads * Words, 0xffffffff);
  int *Expected = output<int>(4 * Genome), *Out = output<int>(4 * Genome);
  Pair P("pileup-counts-by-window");
  P.same(Expected, Out, 4 * Genome);
  while (P.next())
    if (P.beforesTurn())
      before<<<Reads / 256, 256>>>(Aligned, Bases, Expected);
    else
      after<<<Reads / 256, 256>>>(Aligned, Bases, Out);
}
