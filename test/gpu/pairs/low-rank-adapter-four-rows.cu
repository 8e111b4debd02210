// Rule: cuda-memory-single-result
// The narrow product of a low-rank adapter: activations of 256 values go to 16.
// A thread for each result loads two words for a multiplication; a thread for
// four rows uses a weight four times. "Register blocking", from any text on
// matrix products.
#include "Pair.cuh"

constexpr int Rows = 1 << 15, Width = 256, Rank = 16, Each = 4;

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weight,
                       float *__restrict__ Out, float Scale) {
  const int Column = threadIdx.x, Row = blockIdx.x * 16 + threadIdx.y;
  const float *Mine = In + size_t(Row) * Width;
  float Sum = 0;
  for (int K = 0; K < Width; ++K)
    Sum += Mine[K] * Weight[K * Rank + Column];
  Out[size_t(Row) * Rank + Column] = Scale * Sum;
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Weight, float *__restrict__ Out,
                      float Scale) {
  const int Column = threadIdx.x, Row = (blockIdx.x * 16 + threadIdx.y) * Each;
  const float *Mine = In + size_t(Row) * Width;
  float Sum[Each] = {};
  for (int K = 0; K < Width; ++K) {
    const float W = Weight[K * Rank + Column];
#pragma unroll
    for (int R = 0; R < Each; ++R)
      Sum[R] += Mine[R * Width + K] * W;
  }
#pragma unroll
  for (int R = 0; R < Each; ++R)
    Out[size_t(Row + R) * Rank + Column] = Scale * Sum[R];
}

int main() {
  const float *In = input<float>(size_t(Rows) * Width),
              *Weight = input<float>(Width * Rank);
  float *Expected = output<float>(Rows * Rank),
        *Out = output<float>(Rows * Rank);
  Pair P("low-rank-adapter-four-rows");
  P.same(Expected, Out, Rows * Rank);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 16, dim3(Rank, 16)>>>(In, Weight, Expected, 0.25f);
    else
      after<<<Rows / 16 / Each, dim3(Rank, 16)>>>(In, Weight, Out, 0.25f);
}
