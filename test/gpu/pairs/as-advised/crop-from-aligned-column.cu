// Rule: cuda-memory-narrow-access
// A region of a picture of bytes, which begins at column 3, is cut out and
// inverted: a byte a thread, or, as advised, four neighbouring ones, of which
// three lie in one aligned uchar4 and the first in that before it.
#include "../Pair.cuh"

constexpr int Width = 4096, Height = 2048, Pitch = Width + 64;

__global__ void before(const uint8_t *__restrict__ In,
                       uint8_t *__restrict__ Out) {
  const int X = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  Out[Y * Width + X] = 255 - In[Y * Pitch + 3 + X];
}

__global__ void after(const uint8_t *__restrict__ In,
                      uint8_t *__restrict__ Out) {
  const int X = 4 * (blockIdx.x * 256 + threadIdx.x), Y = blockIdx.y;
  const uchar4 *From = reinterpret_cast<const uchar4 *>(In + Y * Pitch + X);
  const uchar4 Low = From[0], High = From[1];
  *reinterpret_cast<uchar4 *>(Out + Y * Width + X) =
      make_uchar4(255 - Low.w, 255 - High.x, 255 - High.y, 255 - High.z);
}

int main() {
  const uint8_t *In = input<uint8_t>(Pitch * Height + 64, 256);
  uint8_t *Expected = output<uint8_t>(Width * Height),
          *Out = output<uint8_t>(Width * Height);
  Pair P("crop-from-aligned-column-as-advised");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 256, Height), 256>>>(In, Expected);
    else
      after<<<dim3(Width / 256 / 4, Height), 256>>>(In, Out);
}
