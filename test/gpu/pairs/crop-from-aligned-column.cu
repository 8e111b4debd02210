// Rule: cuda-memory-misaligned
// A region of a picture of bytes is cut out and inverted. It begins at column
// 3 or, where rows were stored with a margin, at column 32.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, Pitch = Width + 64;

__global__ void before(const uint8_t *__restrict__ In,
                       uint8_t *__restrict__ Out) {
  const int X = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  Out[Y * Width + X] = 255 - In[Y * Pitch + 3 + X];
}

__global__ void after(const uint8_t *__restrict__ In,
                      uint8_t *__restrict__ Out) {
  const int X = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  Out[Y * Width + X] = 255 - In[Y * Pitch + 32 + X];
}

int main() {
  const uint8_t *In = input<uint8_t>(Pitch * Height + 64, 256);
  const uint8_t *Moved = arranged(In, Pitch * Height, Pitch * Height,
                                  [](size_t I) { return I < 29 ? 0 : I - 29; });
  uint8_t *Expected = output<uint8_t>(Width * Height),
          *Out = output<uint8_t>(Width * Height);
  Pair P("crop-from-aligned-column");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 256, Height), 256>>>(In, Expected);
    else
      after<<<dim3(Width / 256, Height), 256>>>(Moved, Out);
}
