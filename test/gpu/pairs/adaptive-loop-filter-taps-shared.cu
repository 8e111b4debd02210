// Rule: cuda-memory-constant-nonuniform
// The adaptive loop filter of a 10-bit video frame: a diamond of 7x7 samples,
// clipped about the middle, with the twelve taps of the class of the 4x4 block.
// Eight blocks, and so classes, are next to each other in a warp; the taps are
// in constant memory, or copied from global memory to shared memory.
// Options: --buffer=Class=random,count=518400,below=25,element=1
#include "Pair.cuh"

constexpr int Width = 3840, Height = 2160, Border = 3, Pitch = Width + 8;
constexpr int Classes = 25, Taps = 12, Clip = 96;

__constant__ int Table[Classes * Taps];

__device__ int clipped(int Difference) {
  return min(max(Difference, -Clip), Clip);
}

// Of two samples that lie opposite each other.
__device__ int both(const uint16_t *Sample, int Offset, int Middle) {
  return clipped(Sample[Offset] - Middle) + clipped(Sample[-Offset] - Middle);
}

__device__ uint16_t filtered(const uint16_t *Sample, const int *Tap) {
  const int Middle = Sample[0];
  int Sum = 64;
  Sum += Tap[0] * both(Sample, 3 * Pitch, Middle);
#pragma unroll
  for (int X = -1; X <= 1; ++X)
    Sum += Tap[2 + X] * both(Sample, 2 * Pitch + X, Middle);
#pragma unroll
  for (int X = -2; X <= 2; ++X)
    Sum += Tap[6 + X] * both(Sample, Pitch + X, Middle);
#pragma unroll
  for (int X = 1; X <= 3; ++X)
    Sum += Tap[8 + X] * both(Sample, X, Middle);
  return min(max(Middle + (Sum >> 7), 0), 1023);
}

__global__ void before(const uint16_t *__restrict__ Frame,
                       const uint8_t *__restrict__ Class,
                       uint16_t *__restrict__ Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int C = Class[Y / 4 * (Width / 4) + X / 4];
  Out[Y * Width + X] = filtered(Frame + (Y + Border) * Pitch + X + Border,
                                Table + C * Taps);
}

__global__ void after(const uint16_t *__restrict__ Frame,
                      const uint8_t *__restrict__ Class,
                      const int *__restrict__ TapsOfAll,
                      uint16_t *__restrict__ Out) {
  __shared__ int Near[Classes * Taps];
  for (int I = threadIdx.y * 32 + threadIdx.x; I < Classes * Taps; I += 256)
    Near[I] = TapsOfAll[I];
  __syncthreads();
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const int C = Class[Y / 4 * (Width / 4) + X / 4];
  Out[Y * Width + X] = filtered(Frame + (Y + Border) * Pitch + X + Border,
                                Near + C * Taps);
}

int main() {
  const uint16_t *Frame =
      input<uint16_t>(size_t(Pitch) * (Height + 2 * Border), 1024);
  const uint8_t *Class = input<uint8_t>(Width / 4 * Height / 4, Classes);
  const int *TapsOfAll = input<int>(Classes * Taps, 24);
  must(cudaMemcpyToSymbol(Table, TapsOfAll, sizeof(Table), 0,
                          cudaMemcpyDeviceToDevice));
  uint16_t *Expected = output<uint16_t>(Width * Height),
           *Out = output<uint16_t>(Width * Height);
  Pair P("adaptive-loop-filter-taps-shared");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(Frame, Class,
                                                            Expected);
    else
      after<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(Frame, Class,
                                                           TapsOfAll, Out);
}
