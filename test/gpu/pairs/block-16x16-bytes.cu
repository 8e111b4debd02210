// Rule: cuda-memory-block-shape
// A warp of a 16x16 block covers two rows of bytes, half a sector of each.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 4096;

__global__ void before(const unsigned char *In, unsigned char *Out, int Least) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int Value = In[Y * Width + X];
  Out[Y * Width + X] = Value < Least ? 0 : Value - Least;
}

__global__ void after(const unsigned char *In, unsigned char *Out, int Least) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int Value = In[Y * Width + X];
  Out[Y * Width + X] = Value < Least ? 0 : Value - Least;
}

int main() {
  const unsigned char *In = input<unsigned char>(Width * Height, 256);
  unsigned char *Expected = output<unsigned char>(Width * Height),
                *Out = output<unsigned char>(Width * Height);
  Pair P("block-16x16-bytes");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 16, Height / 16), dim3(16, 16)>>>(In, Expected, 30);
    else
      after<<<dim3(Width / 64, Height / 4), dim3(64, 4)>>>(In, Out, 30);
}
