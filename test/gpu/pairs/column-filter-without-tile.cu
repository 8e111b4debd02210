// Rule: cuda-memory-needless-staging
// A filter of 17 taps down the columns of an image, eight results a thread, from
// a tile in shared memory or from global memory as it is.
#include "Pair.cuh"

constexpr int Width = 3072, Height = 3072, Radius = 8;
constexpr int BlockX = 16, BlockY = 8, Steps = 8, Halo = 1;

__constant__ float Taps[2 * Radius + 1];

__global__ void before(float *Out, const float *In) {
  __shared__ float Tile[BlockX][(Steps + 2 * Halo) * BlockY + 1];
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = (blockIdx.y * Steps - Halo) * BlockY + threadIdx.y;
  In += Y * Width + X;
  Out += Y * Width + X;
#pragma unroll
  for (int I = Halo; I < Halo + Steps; ++I)
    Tile[threadIdx.x][threadIdx.y + I * BlockY] = In[I * BlockY * Width];
#pragma unroll
  for (int I = 0; I < Halo; ++I)
    Tile[threadIdx.x][threadIdx.y + I * BlockY] =
        Y >= -I * BlockY ? In[I * BlockY * Width] : 0;
#pragma unroll
  for (int I = Halo + Steps; I < Halo + Steps + Halo; ++I)
    Tile[threadIdx.x][threadIdx.y + I * BlockY] =
        Height - Y > I * BlockY ? In[I * BlockY * Width] : 0;
  __syncthreads();
#pragma unroll
  for (int I = Halo; I < Halo + Steps; ++I) {
    float Sum = 0;
#pragma unroll
    for (int J = -Radius; J <= Radius; ++J)
      Sum += Taps[Radius - J] * Tile[threadIdx.x][threadIdx.y + I * BlockY + J];
    Out[I * BlockY * Width] = Sum;
  }
}

__global__ void after(float *Out, const float *In) {
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = (blockIdx.y * Steps - Halo) * BlockY + threadIdx.y;
  In += Y * Width + X;
  Out += Y * Width + X;
#pragma unroll
  for (int I = Halo; I < Halo + Steps; ++I) {
    float Sum = 0;
#pragma unroll
    for (int J = -Radius; J <= Radius; ++J) {
      const int Row = Y + I * BlockY + J;
      if (Row >= 0 && Row < Height)
        Sum += Taps[Radius - J] * In[(I * BlockY + J) * Width];
    }
    Out[I * BlockY * Width] = Sum;
  }
}

int main() {
  const float *In = input<float>(Width * Height, 256),
              *Of = input<float>(2 * Radius + 1, 8);
  must(cudaMemcpyToSymbol(Taps, Of, sizeof(Taps), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("column-filter-without-tile");
  P.same(Expected, Out, Width * Height);
  const dim3 Grid(Width / BlockX, Height / (Steps * BlockY)),
      Block(BlockX, BlockY);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Expected, In);
    else
      after<<<Grid, Block>>>(Out, In);
}
