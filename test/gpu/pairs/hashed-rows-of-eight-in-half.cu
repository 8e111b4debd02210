// Rule: cuda-memory-gather
// Twenty items a user, each looked up by quotient and remainder in two tables
// of rows of eight, multiplied and summed, eight lanes a user; then a score.
// The tables, which L2 holds, are of floats or of halves: a row is one sector,
// or half of one.
// Options: --buffer=Item=random,count=2621440,below=1073741824
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Users = 1 << 17, Bag = 20, Width = 8;
constexpr int Rows = 1 << 15, Items = 1 << 30;

__device__ void scored(float Sum, int User, int D, const float *Importance,
                       float *Pooled, float *Score) {
  const float Clipped = fminf(Sum, 12.0f);
  Pooled[User * Width + D] = Clipped;
  float Part = Clipped * Importance[D];
  for (int Step = Width / 2; Step > 0; Step /= 2)
    Part += __shfl_xor_sync(~0u, Part, Step);
  if (D == 0)
    Score[User] = 1.0f / (1.0f + __expf(2.0f - 0.1f * Part));
}

__global__ void before(const int *__restrict__ Item,
                       const float *__restrict__ Quotient,
                       const float *__restrict__ Remainder,
                       const float *__restrict__ Importance,
                       float *__restrict__ Pooled, float *__restrict__ Score) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int User = I / Width, D = I % Width;
  float Sum = 0;
#pragma unroll 5
  for (int K = 0; K < Bag; ++K) {
    const int Id = Item[User * Bag + K];
    const float High = Quotient[Id / Rows * Width + D];
    const float Low = Remainder[Id % Rows * Width + D];
    Sum += High * Low;
  }
  scored(Sum, User, D, Importance, Pooled, Score);
}

__global__ void after(const int *__restrict__ Item,
                      const __half *__restrict__ Quotient,
                      const __half *__restrict__ Remainder,
                      const float *__restrict__ Importance,
                      float *__restrict__ Pooled, float *__restrict__ Score) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int User = I / Width, D = I % Width;
  float Sum = 0;
#pragma unroll 5
  for (int K = 0; K < Bag; ++K) {
    const int Id = Item[User * Bag + K];
    const float High = __half2float(Quotient[Id / Rows * Width + D]);
    const float Low = __half2float(Remainder[Id % Rows * Width + D]);
    Sum += High * Low;
  }
  scored(Sum, User, D, Importance, Pooled, Score);
}

int main() {
  const int *Item = input<int>(Users * Bag, Items);
  const int Words = Rows * Width;
  std::vector<float> Rounded = onHost(input<float>(2 * Words), 2 * Words);
  std::vector<__half> Narrow(2 * Words);
  for (int I = 0; I < 2 * Words; ++I) {
    Narrow[I] = __float2half(Rounded[I]);
    Rounded[I] = __half2float(Narrow[I]);
  }
  const float *Floats = onDevice(Rounded), *Importance = input<float>(Width);
  const __half *Halves = onDevice(Narrow);
  float *Expected = output<float>(Users * Width),
        *Out = output<float>(Users * Width);
  float *ExpectedScore = output<float>(Users), *OutScore = output<float>(Users);
  Pair P("hashed-rows-of-eight-in-half");
  P.same(Expected, Out, Users * Width);
  P.same(ExpectedScore, OutScore, Users);
  while (P.next())
    if (P.beforesTurn())
      before<<<Users * Width / 256, 256>>>(Item, Floats, Floats + Words,
                                           Importance, Expected, ExpectedScore);
    else
      after<<<Users * Width / 256, 256>>>(Item, Halves, Halves + Words,
                                          Importance, Out, OutScore);
}
