// Rule: cuda-memory-narrow-access
// A frame of a video decoder (a plane of luma, a half-sized plane of pairs of
// chroma) becomes RGBA: a pixel a thread, three loads of bytes and a store of
// four, or four pixels a thread with loads of four bytes and a store of
// sixteen. "Let a thread handle a vector of pixels", as in NVIDIA's samples.
#include "Pair.cuh"

constexpr int Width = 3840, Height = 2160;

__device__ unsigned clampedByte(int Value) {
  return unsigned(min(max(Value >> 8, 0), 255));
}

__device__ unsigned colour(int Luma, int Cb, int Cr) {
  const int Y = 298 * (Luma - 16) + 128, U = Cb - 128, V = Cr - 128;
  return clampedByte(Y + 409 * V) | clampedByte(Y - 100 * U - 208 * V) << 8 |
         clampedByte(Y + 516 * U) << 16 | 255u << 24;
}

__global__ void before(const unsigned char *__restrict__ Luma,
                       const unsigned char *__restrict__ Chroma,
                       unsigned *__restrict__ Rgba) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const unsigned char *Pair = Chroma + (Y / 2) * Width + (X & ~1);
  Rgba[Y * Width + X] = colour(Luma[Y * Width + X], Pair[0], Pair[1]);
}

__global__ void after(const uchar4 *__restrict__ Luma,
                      const uchar4 *__restrict__ Chroma,
                      uint4 *__restrict__ Rgba) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  if (X >= Width / 4 || Y >= Height)
    return;
  const uchar4 L = Luma[Y * (Width / 4) + X];
  const uchar4 C = Chroma[(Y / 2) * (Width / 4) + X];
  Rgba[Y * (Width / 4) + X] =
      make_uint4(colour(L.x, C.x, C.y), colour(L.y, C.x, C.y),
                 colour(L.z, C.z, C.w), colour(L.w, C.z, C.w));
}

int main() {
  constexpr int Pixels = Width * Height;
  const unsigned char *Luma = input<unsigned char>(Pixels * 3 / 2, 256),
                      *Chroma = Luma + Pixels;
  unsigned *Expected = output<unsigned>(Pixels),
           *Out = output<unsigned>(Pixels);
  Pair P("video-frame-to-rgba-by-four");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(Luma, Chroma,
                                                            Expected);
    else
      after<<<dim3(Width / 128, Height / 8), dim3(32, 8)>>>(
          reinterpret_cast<const uchar4 *>(Luma),
          reinterpret_cast<const uchar4 *>(Chroma),
          reinterpret_cast<uint4 *>(Out));
}
