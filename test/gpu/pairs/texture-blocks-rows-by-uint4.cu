// Rule: ?
// A picture compressed to texture blocks (BC1), a thread a block of 4x4 pixels:
// two colours of 5:6:5 bits at the corners of the colours' box, and for each
// pixel two bits that say where between them it lies. The sixteen pixels are
// read one by one, or a row of four at once.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, Blocks = Width / 4 * (Height / 4);

__device__ int channel(uint32_t Pixel, int C) { return Pixel >> 8 * C & 255; }

__device__ int packed565(const int *Colour) {
  return Colour[0] >> 3 << 11 | Colour[1] >> 2 << 5 | Colour[2] >> 3;
}

__device__ __forceinline__ uint2 compressed(const uint32_t *Pixels) {
  int Low[3] = {255, 255, 255}, High[3] = {0, 0, 0};
#pragma unroll
  for (int I = 0; I < 16; ++I)
#pragma unroll
    for (int C = 0; C < 3; ++C) {
      Low[C] = min(Low[C], channel(Pixels[I], C));
      High[C] = max(High[C], channel(Pixels[I], C));
    }
  int Way[3], Square = 1;
#pragma unroll
  for (int C = 0; C < 3; ++C) {
    // The outermost colours are rare.
    const int Inset = (High[C] - Low[C]) >> 4;
    Low[C] += Inset;
    High[C] -= Inset;
    Way[C] = High[C] - Low[C];
    Square += Way[C] * Way[C];
  }
  const float Scale = 3.0f / Square;
  uint32_t Codes = 0;
#pragma unroll
  for (int I = 0; I < 16; ++I) {
    int Along = 0;
#pragma unroll
    for (int C = 0; C < 3; ++C)
      Along += (channel(Pixels[I], C) - Low[C]) * Way[C];
    const int Third = min(max(int(fmaf(Along, Scale, 0.5f)), 0), 3);
    // From the low colour to the high one the codes are 1, 3, 2, 0.
    Codes |= (0x2du >> 2 * Third & 3) << 2 * I;
  }
  return {uint32_t(packed565(High) | packed565(Low) << 16), Codes};
}

__global__ void before(const uint32_t *__restrict__ Picture,
                       uint2 *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  uint32_t Pixels[16];
#pragma unroll
  for (int R = 0; R < 4; ++R)
#pragma unroll
    for (int C = 0; C < 4; ++C)
      Pixels[4 * R + C] = Picture[(4 * Y + R) * Width + 4 * X + C];
  Out[Y * (Width / 4) + X] = compressed(Pixels);
}

__global__ void after(const uint4 *__restrict__ Picture,
                      uint2 *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  uint32_t Pixels[16];
#pragma unroll
  for (int R = 0; R < 4; ++R) {
    const uint4 Four = Picture[(4 * Y + R) * (Width / 4) + X];
    Pixels[4 * R] = Four.x;
    Pixels[4 * R + 1] = Four.y;
    Pixels[4 * R + 2] = Four.z;
    Pixels[4 * R + 3] = Four.w;
  }
  Out[Y * (Width / 4) + X] = compressed(Pixels);
}

int main() {
  const uint32_t *Picture = input<uint32_t>(Width * Height, 1u << 24);
  uint32_t *Expected = output<uint32_t>(2 * Blocks),
           *Out = output<uint32_t>(2 * Blocks);
  Pair P("texture-blocks-rows-by-uint4");
  P.same(Expected, Out, 2 * Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 128, Height / 32), dim3(32, 8)>>>(
          Picture, (uint2 *)Expected);
    else
      after<<<dim3(Width / 128, Height / 32), dim3(32, 8)>>>(
          (const uint4 *)Picture, (uint2 *)Out);
}
