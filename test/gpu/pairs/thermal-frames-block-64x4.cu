// Rule: cuda-memory-block-shape
// Corrects frames of a thermal camera for each pixel's gain and offset: blocks
// of 4x64 threads, whose warps touch eight rows of four pixels, or of 64x4.
// The third dimension of the grid is the frame.
#include "Pair.cuh"

constexpr int Width = 1280, Height = 1024, Frames = 16;

__device__ __forceinline__ void
correct(const uint16_t *__restrict__ Raw, const float *__restrict__ Gain,
        const float *__restrict__ Offset, float *__restrict__ Kelvin, int W,
        int H) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  const int Pixel = Y * W + X;
  const size_t At = size_t(blockIdx.z) * W * H + Pixel;
  Kelvin[At] = (float(Raw[At]) - Offset[Pixel]) * Gain[Pixel] + 273.15f;
}

__global__ void before(const uint16_t *__restrict__ Raw,
                       const float *__restrict__ Gain,
                       const float *__restrict__ Offset,
                       float *__restrict__ Kelvin, int W, int H) {
  correct(Raw, Gain, Offset, Kelvin, W, H);
}

__global__ void after(const uint16_t *__restrict__ Raw,
                      const float *__restrict__ Gain,
                      const float *__restrict__ Offset,
                      float *__restrict__ Kelvin, int W, int H) {
  correct(Raw, Gain, Offset, Kelvin, W, H);
}

int main() {
  constexpr size_t Pixels = size_t(Width) * Height;
  const uint16_t *Raw = input<uint16_t>(Pixels * Frames, 16384);
  const float *Gain = input<float>(Pixels), *Offset = input<float>(Pixels);
  float *Expected = output<float>(Pixels * Frames),
        *Out = output<float>(Pixels * Frames);
  Pair P("thermal-frames-block-64x4");
  P.same(Expected, Out, Pixels * Frames);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 4, Height / 64, Frames), dim3(4, 64)>>>(
          Raw, Gain, Offset, Expected, Width, Height);
    else
      after<<<dim3(Width / 64, Height / 4, Frames), dim3(64, 4)>>>(
          Raw, Gain, Offset, Out, Width, Height);
}
