// Rule: cuda-memory-single-result
// Sums of 31 pixels below each other, the second half of a box filter: a
// thread loads 31 pixels for its sum, or goes down 64 rows, adds the pixel
// that comes and takes off the one that goes.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 2048, Window = 31, Strip = 64;

__global__ void before(const uint8_t *__restrict__ In,
                       uint16_t *__restrict__ Out) {
  const int X = blockIdx.x * 128 + threadIdx.x, Y = blockIdx.y;
  int Sum = 0;
  for (int I = 0; I < Window; ++I)
    Sum += In[(Y + I) * Width + X];
  Out[Y * Width + X] = uint16_t(Sum);
}

__global__ void after(const uint8_t *__restrict__ In,
                      uint16_t *__restrict__ Out) {
  const int X = blockIdx.x * 128 + threadIdx.x, First = blockIdx.y * Strip;
  int Sum = 0;
  for (int I = 0; I < Window - 1; ++I)
    Sum += In[(First + I) * Width + X];
  for (int Y = First; Y < First + Strip; ++Y) {
    Sum += In[(Y + Window - 1) * Width + X];
    Out[Y * Width + X] = uint16_t(Sum);
    Sum -= In[Y * Width + X];
  }
}

int main() {
  const uint8_t *In = input<uint8_t>(Width * (Height + Window - 1), 256);
  uint16_t *Expected = output<uint16_t>(Width * Height),
           *Out = output<uint16_t>(Width * Height);
  Pair P("box-rows-running-sum");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 128, Height), 128>>>(In, Expected);
    else
      after<<<dim3(Width / 128, Height / Strip), 128>>>(In, Out);
}
