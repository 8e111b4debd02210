// Rule: cuda-memory-bank-conflict
// A tile that vectors of four fill is read down its columns. A row can only be made
// longer by a vector, which leaves four passes of 32.
#include "Pair.cuh"

constexpr int Tiles = 16384;

template <int RowLength>
__device__ void transpose(float (*Tile)[RowLength], const float4 *In,
                          float *Out) {
  const int X = threadIdx.x, Y = threadIdx.y, Base = blockIdx.x * 1024;
  reinterpret_cast<float4 *>(Tile[Y * 4 + X / 8])[X % 8] =
      In[Base / 4 + Y * 32 + X];
  __syncthreads();
  for (int Row = Y; Row < 32; Row += 8)
    Out[Base + Row * 32 + X] = Tile[X][Row];
}

__global__ void before(const float4 *In, float *Out) {
  __shared__ float Tile[32][32];
  transpose(Tile, In, Out);
}

__global__ void after(const float4 *In, float *Out) {
  __shared__ float Tile[32][36];
  transpose(Tile, In, Out);
}

int main() {
  const float *In = input<float>(Tiles * 1024);
  float *Expected = output<float>(Tiles * 1024),
        *Out = output<float>(Tiles * 1024);
  Pair P("tile-of-vectors-padded");
  P.same(Expected, Out, Tiles * 1024);
  const auto *Vectors = reinterpret_cast<const float4 *>(In);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tiles, dim3(32, 8)>>>(Vectors, Expected);
    else
      after<<<Tiles, dim3(32, 8)>>>(Vectors, Out);
}
