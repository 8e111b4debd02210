// Rule: cuda-memory-narrow-access
// Sums over the columns of a matrix of bfloat16: a block has 32 columns, whose
// rows its warps share; or 64, two neighbouring ones a lane, in half as many
// blocks. Each thread goes through as many rows as before.
#include "Pair.cuh"

#include <cuda_bf16.h>

constexpr int Rows = 8192, Columns = 3072, Warps = 32;

__global__ void before(const __nv_bfloat16 *In, float *Out) {
  __shared__ float Sums[Warps][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Column = blockIdx.x * 32 + Lane;
  float Sum = 0;
  for (int Row = Warp; Row < Rows; Row += Warps)
    Sum += float(In[Row * Columns + Column]);
  Sums[Warp][Lane] = Sum;
  __syncthreads();
  if (Warp == 0) {
    Sum = 0;
    for (int W = 0; W < Warps; ++W)
      Sum += Sums[W][Lane];
    Out[Column] = Sum;
  }
}

__global__ void after(const __nv_bfloat162 *In, float2 *Out) {
  __shared__ float2 Sums[Warps][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Pair = blockIdx.x * 32 + Lane;
  float2 Sum = {0, 0};
  for (int Row = Warp; Row < Rows; Row += Warps) {
    const float2 Two = __bfloat1622float2(In[Row * (Columns / 2) + Pair]);
    Sum.x += Two.x;
    Sum.y += Two.y;
  }
  Sums[Warp][Lane] = Sum;
  __syncthreads();
  if (Warp == 0) {
    Sum = {0, 0};
    for (int W = 0; W < Warps; ++W) {
      Sum.x += Sums[W][Lane].x;
      Sum.y += Sums[W][Lane].y;
    }
    Out[Pair] = Sum;
  }
}

__global__ void toHalves(const float *From, __nv_bfloat16 *To) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = __float2bfloat16(From[I]);
}

int main() {
  constexpr int Elements = Rows * Columns;
  const float *Numbers = input<float>(Elements);
  __nv_bfloat16 *In;
  cudaMalloc(&In, Elements * sizeof(*In));
  toHalves<<<Elements / 256, 256>>>(Numbers, In);
  float *Expected = output<float>(Columns), *Out = output<float>(Columns);
  Pair P("bias-columns-of-two-halves");
  P.same(Expected, Out, Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / 32, Warps * 32>>>(In, Expected);
    else
      after<<<Columns / 64, Warps * 32>>>(
          reinterpret_cast<const __nv_bfloat162 *>(In),
          reinterpret_cast<float2 *>(Out));
}
