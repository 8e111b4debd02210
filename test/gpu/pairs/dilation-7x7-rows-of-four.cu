// Rule: cuda-memory-single-result
// The largest of 7 x 7 pixels about each: a thread loads 49 for one result, or
// 70 for four in a column, of which it keeps each row for up to four of them.
#include "Pair.cuh"

constexpr int Side = 2048, Reach = 3, Edge = 16, Pitch = Side + 2 * Edge;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  float Most = 0;
  for (int V = 0; V <= 2 * Reach; ++V)
    for (int U = -Reach; U <= Reach; ++U)
      Most = fmaxf(Most, In[(Y + V) * Pitch + Edge + X + U]);
  Out[Y * Side + X] = Most;
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = (blockIdx.y * 8 + threadIdx.y) * 4;
  float Most[4] = {};
#pragma unroll
  for (int V = 0; V <= 2 * Reach + 3; ++V) {
    float Row = 0;
#pragma unroll
    for (int U = -Reach; U <= Reach; ++U)
      Row = fmaxf(Row, In[(Y + V) * Pitch + Edge + X + U]);
#pragma unroll
    for (int I = 0; I < 4; ++I)
      if (V >= I && V <= I + 2 * Reach)
        Most[I] = fmaxf(Most[I], Row);
  }
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Out[(Y + I) * Side + X] = Most[I];
}

int main() {
  const float *In = input<float>((Side + 2 * Reach) * Pitch);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("dilation-7x7-rows-of-four");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Side / 32, Side / 32), dim3(32, 8)>>>(In, Out);
}
