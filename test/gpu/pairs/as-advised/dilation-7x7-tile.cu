// Rule: cuda-memory-single-result
// The largest of 7 x 7 pixels about each, from the image. As advised, each
// thread makes eight results in a row along y: it loads each of 14 rows once
// and keeps in a register what all results that it belongs to need of it.
#include "../Pair.cuh"

constexpr int Side = 2048, Reach = 3, Edge = 16, Pitch = Side + 2 * Edge;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  float Most = 0;
  for (int V = 0; V <= 2 * Reach; ++V)
    for (int U = -Reach; U <= Reach; ++U)
      Most = fmaxf(Most, In[(Y + V) * Pitch + Edge + X + U]);
  Out[Y * Side + X] = Most;
}

constexpr int Each = 8;

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x,
            Y = (blockIdx.y * 8 + threadIdx.y) * Each;
  float Most[Each] = {};
#pragma unroll
  for (int V = 0; V < Each + 2 * Reach; ++V) {
    float OfRow = 0;
#pragma unroll
    for (int U = -Reach; U <= Reach; ++U)
      OfRow = fmaxf(OfRow, In[(Y + V) * Pitch + Edge + X + U]);
#pragma unroll
    for (int K = 0; K < Each; ++K)
      if (K <= V && V <= K + 2 * Reach)
        Most[K] = fmaxf(Most[K], OfRow);
  }
#pragma unroll
  for (int K = 0; K < Each; ++K)
    Out[(Y + K) * Side + X] = Most[K];
}

int main() {
  const float *In = input<float>((Side + 2 * Reach) * Pitch);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("dilation-7x7-tile-as-advised");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Side / 32, Side / 8 / Each), dim3(32, 8)>>>(In, Out);
}
