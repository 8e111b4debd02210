// Rule: cuda-memory-narrow-access
// Association of each genetic variant with a trait, a block for each variant:
// the dosages of 4096 people as floats, or as the bytes that they come from,
// each 127 times the dosage.
#include "Pair.cuh"

constexpr int Variants = 6144, People = 4096, Block = 256;

__device__ float decoded(float Dosage) { return Dosage; }
__device__ float decoded(unsigned char Code) { return Code * (1 / 127.f); }

__device__ float warpSum(float X) {
  for (int D = 16; D > 0; D /= 2)
    X += __shfl_xor_sync(~0u, X, D);
  return X;
}

template <class T>
__device__ void associate(const T *Row, const float *Residual, float2 *Out) {
  __shared__ float Sums[3][Block / 32];
  float Score = 0, Sum = 0, Square = 0;
  for (int I = threadIdx.x; I < People; I += Block) {
    const float Dosage = decoded(Row[I]);
    Score += Dosage * Residual[I];
    Sum += Dosage;
    Square += Dosage * Dosage;
  }
  Score = warpSum(Score);
  Sum = warpSum(Sum);
  Square = warpSum(Square);
  if (threadIdx.x % 32 == 0) {
    Sums[0][threadIdx.x / 32] = Score;
    Sums[1][threadIdx.x / 32] = Sum;
    Sums[2][threadIdx.x / 32] = Square;
  }
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (int W = 1; W < Block / 32; ++W) {
    Score += Sums[0][W];
    Sum += Sums[1][W];
    Square += Sums[2][W];
  }
  Out[blockIdx.x] = make_float2(Score, Square - Sum * Sum / People);
}

__global__ void before(const float *__restrict__ Dosages,
                       const float *__restrict__ Residual,
                       float2 *__restrict__ Out) {
  associate(Dosages + blockIdx.x * People, Residual, Out);
}

__global__ void after(const unsigned char *__restrict__ Dosages,
                      const float *__restrict__ Residual,
                      float2 *__restrict__ Out) {
  associate(Dosages + blockIdx.x * People, Residual, Out);
}

int main() {
  constexpr int Count = Variants * People;
  const unsigned char *Codes = input<unsigned char>(Count, 255);
  const std::vector<unsigned char> Known = onHost(Codes, Count);
  std::vector<float> Wide(Count);
  for (int I = 0; I < Count; ++I)
    Wide[I] = Known[I] / 127.f;
  const float *Dosages = onDevice(Wide), *Residual = input<float>(People);
  float *Expected = output<float>(2 * Variants),
        *Out = output<float>(2 * Variants);
  Pair P("dosages-in-bytes");
  P.same(Expected, Out, 2 * Variants);
  while (P.next())
    if (P.beforesTurn())
      before<<<Variants, Block>>>(Dosages, Residual, (float2 *)Expected);
    else
      after<<<Variants, Block>>>(Codes, Residual, (float2 *)Out);
}
