// Rule: cuda-memory-idle-lanes
// Colour differences of a picture at half its size: threads for all pixels, of
// which one of four has work, or a thread for each result.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048;

__device__ uchar2 chroma(const uchar4 *In, int X, int Y, int Width) {
  int R = 2, G = 2, B = 2;
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    const uchar4 V = In[(Y + I / 2) * Width + X + I % 2];
    R += V.x;
    G += V.y;
    B += V.z;
  }
  return make_uchar2((-43 * R - 85 * G + 128 * B) / 1024 + 128,
                     (128 * R - 107 * G - 21 * B) / 1024 + 128);
}

__global__ void before(const uchar4 *In, uchar2 *Out, int Width) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X % 2 == 0 && Y % 2 == 0)
    Out[Y / 2 * (Width / 2) + X / 2] = chroma(In, X, Y, Width);
}

__global__ void after(const uchar4 *In, uchar2 *Out, int Width) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * (Width / 2) + X] = chroma(In, 2 * X, 2 * Y, Width);
}

int main() {
  constexpr int Results = Width * Height / 2;
  const unsigned char *In = input<unsigned char>(4 * Width * Height, 256);
  unsigned char *Expected = output<unsigned char>(Results),
                *Out = output<unsigned char>(Results);
  Pair P("chroma-quarter-launch");
  P.same(Expected, Out, Results);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(
          (const uchar4 *)In, (uchar2 *)Expected, Width);
    else
      after<<<dim3(Width / 64, Height / 16), dim3(32, 8)>>>(
          (const uchar4 *)In, (uchar2 *)Out, Width);
}
