// Rule: cuda-memory-narrow-access
// Reduces a picture to a palette of 64 colours in shared memory: a thread looks
// for the nearest colour of one pixel, or, as advised, of four neighbouring
// ones, whose indices it stores as one uchar4.
#include "../Pair.cuh"

constexpr int Pixels = 4 << 20, Colours = 64, Block = 256, Each = 4;

__device__ void stage(const float *Palette, float4 *Near, int Count) {
  for (int C = threadIdx.x; C < Count; C += blockDim.x) {
    const float R = Palette[3 * C], G = Palette[3 * C + 1],
                B = Palette[3 * C + 2];
    Near[C] =
        make_float4(-2 * R, -2 * G, -2 * B, fmaf(R, R, fmaf(G, G, B * B)));
  }
  __syncthreads();
}

__device__ float offness(float4 Colour, float R, float G, float B) {
  return fmaf(Colour.x, R, fmaf(Colour.y, G, fmaf(Colour.z, B, Colour.w)));
}

__global__ void before(const uchar4 *__restrict__ Image,
                       const float *__restrict__ Palette,
                       uint8_t *__restrict__ Index, int Count) {
  __shared__ float4 Near[Colours];
  stage(Palette, Near, Count);
  const int I = blockIdx.x * Block + threadIdx.x;
  const uchar4 Pixel = Image[I];
  const float R = Pixel.x, G = Pixel.y, B = Pixel.z;
  float Least = 1e30f;
  int Best = 0;
  for (int C = 0; C < Count; ++C) {
    const float Off = offness(Near[C], R, G, B);
    if (Off < Least) {
      Least = Off;
      Best = C;
    }
  }
  Index[I] = uint8_t(Best);
}

__device__ uchar4 unpacked(unsigned Word) {
  return make_uchar4(Word & 255, Word >> 8 & 255, Word >> 16 & 255, Word >> 24);
}

__global__ void after(const uchar4 *__restrict__ Image,
                      const float *__restrict__ Palette,
                      uint8_t *__restrict__ Index, int Count) {
  __shared__ float4 Near[Colours];
  stage(Palette, Near, Count);
  const int I = blockIdx.x * Block + threadIdx.x;
  const uint4 Four = reinterpret_cast<const uint4 *>(Image)[I];
  const uchar4 Pixel[Each] = {unpacked(Four.x), unpacked(Four.y),
                              unpacked(Four.z), unpacked(Four.w)};
  float R[Each], G[Each], B[Each], Least[Each];
  int Best[Each];
#pragma unroll
  for (int E = 0; E < Each; ++E) {
    R[E] = Pixel[E].x;
    G[E] = Pixel[E].y;
    B[E] = Pixel[E].z;
    Least[E] = 1e30f;
    Best[E] = 0;
  }
  for (int C = 0; C < Count; ++C) {
    const float4 Colour = Near[C];
#pragma unroll
    for (int E = 0; E < Each; ++E) {
      const float Off = offness(Colour, R[E], G[E], B[E]);
      if (Off < Least[E]) {
        Least[E] = Off;
        Best[E] = C;
      }
    }
  }
  reinterpret_cast<uchar4 *>(Index)[I] = make_uchar4(
      uint8_t(Best[0]), uint8_t(Best[1]), uint8_t(Best[2]), uint8_t(Best[3]));
}

int main() {
  const uint8_t *Image = input<uint8_t>(size_t(4) * Pixels, 256);
  std::vector<float> Set(3 * Colours);
  for (int I = 0; I < 3 * Colours; ++I)
    Set[I] = float(mixed(I + 12345) % 256);
  const float *Palette = onDevice(Set);
  uint8_t *Expected = output<uint8_t>(Pixels), *Out = output<uint8_t>(Pixels);
  Pair P("nearest-colour-four-pixels-as-advised");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / Block, Block>>>(reinterpret_cast<const uchar4 *>(Image),
                                        Palette, Expected, Colours);
    else
      after<<<Pixels / Block / Each, Block>>>(
          reinterpret_cast<const uchar4 *>(Image), Palette, Out, Colours);
}
