// Rule: cuda-memory-needless-staging
// A picture is mirrored through a tile in shared memory, of which each element
// is read once, by lanes side by side. Without the tile, and with pointers that
// are promised to lead apart: four loads of a thread are under way together as
// they were.
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

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32;
  for (int I = threadIdx.y; I < 32; I += 8)
    Out[(Y + I) * Width + Width - 1 - X] = In[(Y + I) * Width + X];
}

int main() {
  const float *In = input<float>(Width * Height);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("mirrored-rows-without-tile");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 32), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 32, Height / 32), dim3(32, 8)>>>(In, Out);
}
