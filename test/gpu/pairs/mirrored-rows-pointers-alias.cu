// Rule: cuda-memory-needless-staging
// As mirrored-rows-without-tile, but the pointers may lead to the same memory:
// without the tile each load waits for the store before it.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 1024;

__global__ void before(const float *In, float *Out) {
  __shared__ float Tile[32][33];
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32;
  for (int I = threadIdx.y; I < 32; I += 8)
    Tile[I][threadIdx.x] = In[(Y + I) * Width + X];
  __syncthreads();
  for (int I = threadIdx.y; I < 32; I += 8)
    Out[(Y + I) * Width + Width - 1 - X] = Tile[I][threadIdx.x];
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32;
  for (int I = threadIdx.y; I < 32; I += 8)
    Out[(Y + I) * Width + Width - 1 - X] = In[(Y + I) * Width + X];
}

int main() {
  const float *In = input<float>(Width * Height);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("mirrored-rows-pointers-alias");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 32), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 32), dim3(32, 8)>>>(In, Out);
}
