// Rule: cuda-memory-missing-reuse
// The largest of 7 x 7 pixels about each: 49 loads from the image, which L1
// serves, or from a tile with its edges in shared memory.
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
  constexpr int Wide = 32 + 2 * Reach, High = 8 + 2 * Reach;
  __shared__ float Tile[High][Wide];
  const int Left = blockIdx.x * 32, Top = blockIdx.y * 8;
  for (int V = threadIdx.y; V < High; V += 8)
    for (int U = threadIdx.x; U < Wide; U += 32)
      Tile[V][U] = In[(Top + V) * Pitch + Edge - Reach + Left + U];
  __syncthreads();
  float Most = 0;
  for (int V = 0; V <= 2 * Reach; ++V)
    for (int U = 0; U <= 2 * Reach; ++U)
      Most = fmaxf(Most, Tile[threadIdx.y + V][threadIdx.x + U]);
  Out[(Top + threadIdx.y) * Side + Left + threadIdx.x] = Most;
}

int main() {
  const float *In = input<float>((Side + 2 * Reach) * Pitch);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("dilation-7x7-tile");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(In, Out);
}
