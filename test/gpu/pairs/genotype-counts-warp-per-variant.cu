// Rule: cuda-memory-uncoalesced-access
// Allele frequency and excess of heterozygotes of each variant of a genotype
// matrix of bytes (0, 1, 2 or 3 for missing): a thread walks the row of its
// variant, or a warp does, so that neighbouring lanes read neighbouring bytes.
// The coalescing advice of the CUDA best practices guide.
#include "Pair.cuh"

constexpr int Variants = 1 << 16, Samples = 600, Block = 128;

__device__ void summarise(int Alleles, int Mixed, int Called, float *Frequency,
                          float *Excess, int Variant) {
  const float F = Called ? Alleles / (2.0f * Called) : 0.0f;
  Frequency[Variant] = F;
  Excess[Variant] = Mixed - 2 * F * (1 - F) * Called;
}

__global__ void before(const unsigned char *__restrict__ Genotypes,
                       float *Frequency, float *Excess, int SampleCount) {
  const int Variant = blockIdx.x * Block + threadIdx.x;
  const unsigned char *Row = Genotypes + size_t(Variant) * SampleCount;
  int Alleles = 0, Mixed = 0, Called = 0;
  for (int S = 0; S < SampleCount; ++S) {
    const int Dose = Row[S];
    if (Dose == 3)
      continue;
    Alleles += Dose;
    Mixed += Dose == 1;
    ++Called;
  }
  summarise(Alleles, Mixed, Called, Frequency, Excess, Variant);
}

__global__ void after(const unsigned char *__restrict__ Genotypes,
                      float *Frequency, float *Excess, int SampleCount) {
  const int Lane = threadIdx.x % 32,
            Variant = (blockIdx.x * Block + threadIdx.x) / 32;
  const unsigned char *Row = Genotypes + size_t(Variant) * SampleCount;
  int Alleles = 0, Mixed = 0, Called = 0;
  for (int S = Lane; S < SampleCount; S += 32) {
    const int Dose = Row[S];
    if (Dose == 3)
      continue;
    Alleles += Dose;
    Mixed += Dose == 1;
    ++Called;
  }
  for (int Off = 16; Off > 0; Off /= 2) {
    Alleles += __shfl_down_sync(~0u, Alleles, Off);
    Mixed += __shfl_down_sync(~0u, Mixed, Off);
    Called += __shfl_down_sync(~0u, Called, Off);
  }
  if (Lane == 0)
    summarise(Alleles, Mixed, Called, Frequency, Excess, Variant);
}

int main() {
  const unsigned char *Genotypes =
      input<unsigned char>(size_t(Variants) * Samples, 4);
  float *Expected = output<float>(2 * Variants),
        *Out = output<float>(2 * Variants);
  Pair P("genotype-counts-warp-per-variant");
  P.same(Expected, Out, 2 * Variants);
  while (P.next())
    if (P.beforesTurn())
      before<<<Variants / Block, Block>>>(Genotypes, Expected,
                                          Expected + Variants, Samples);
    else
      after<<<Variants / (Block / 32), Block>>>(Genotypes, Out, Out + Variants,
                                                Samples);
}
