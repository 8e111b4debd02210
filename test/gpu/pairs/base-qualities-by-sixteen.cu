// Rule: cuda-memory-uncoalesced-access
// Errors to be expected in each of a million reads of 128 bases, from the
// quality of every base: a thread reads its row of bytes one by one or sixteen
// at a time.
#include "Pair.cuh"

constexpr int N = 1 << 20, Bases = 128;

__device__ __forceinline__ float chance(unsigned Quality) {
  return exp2f(-0.33219281f * float(Quality));
}

__global__ void before(const unsigned char *__restrict__ Quality,
                       float *__restrict__ Errors) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char *Row = Quality + size_t(I) * Bases;
  float Sum = 0;
  for (int B = 0; B < Bases; ++B)
    Sum += chance(Row[B]);
  Errors[I] = Sum;
}

__device__ __forceinline__ float fourChances(unsigned Word, float Sum) {
#pragma unroll
  for (int B = 0; B < 4; ++B)
    Sum += chance(Word >> 8 * B & 255);
  return Sum;
}

__global__ void after(const uint4 *__restrict__ Quality,
                      float *__restrict__ Errors) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 *Row = Quality + size_t(I) * (Bases / 16);
  float Sum = 0;
  for (int B = 0; B < Bases / 16; ++B) {
    const uint4 Q = Row[B];
    Sum = fourChances(Q.x, Sum);
    Sum = fourChances(Q.y, Sum);
    Sum = fourChances(Q.z, Sum);
    Sum = fourChances(Q.w, Sum);
  }
  Errors[I] = Sum;
}

int main() {
  const unsigned char *Quality = input<unsigned char>(size_t(N) * Bases, 42);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("base-qualities-by-sixteen");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Quality, Expected);
    else
      after<<<N / 128, 128>>>((const uint4 *)Quality, Out);
}
