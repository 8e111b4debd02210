// Rule: cuda-memory-block-shape
// Grey becomes black or white by an ordered dither of 8 x 8 thresholds: blocks
// of 8 x 8 pixels, as the thresholds have it, or of 64 x 4.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 4096;

__device__ void dither(const uint8_t *In, uint8_t *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int U = X ^ Y;
  const int Threshold = (U & 1) << 5 | (Y & 1) << 4 | (U & 2) << 2 |
                        (Y & 2) << 1 | (U & 4) >> 1 | (Y & 4) >> 2;
  Out[Y * Width + X] = In[Y * Width + X] > 4 * Threshold + 1 ? 255 : 0;
}

__global__ void before(const uint8_t *__restrict__ In,
                       uint8_t *__restrict__ Out) {
  dither(In, Out);
}

__global__ void after(const uint8_t *__restrict__ In,
                      uint8_t *__restrict__ Out) {
  dither(In, Out);
}

int main() {
  const uint8_t *In = input<uint8_t>(Width * Height, 256);
  uint8_t *Expected = output<uint8_t>(Width * Height),
          *Out = output<uint8_t>(Width * Height);
  Pair P("dither-block-64x4");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 8, Height / 8), dim3(8, 8)>>>(In, Expected);
    else
      after<<<dim3(Width / 64, Height / 4), dim3(64, 4)>>>(In, Out);
}
