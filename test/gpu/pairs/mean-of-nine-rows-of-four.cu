// Rule: cuda-memory-single-result
// The mean of 3 x 3 floats of lines that begin anywhere, for several bands: nine
// loads for a result, or eighteen for four.
#include "Pair.cuh"

constexpr int Samples = 614, Lines = 512, Bands = 64;

struct Row {
  float Of[3];
};

__device__ Row rowAt(const float *At) { return {At[-1], At[0], At[1]}; }

__device__ float difference(const Row &Above, const Row &Middle,
                            const Row &Below, int Column, int Samples) {
  float Sum = 0;
  const Row *Rows[] = {&Above, &Middle, &Below};
#pragma unroll
  for (int R = 0; R < 3; ++R) {
    Sum += Column == 0 ? Rows[R]->Of[1] : Rows[R]->Of[0];
    Sum += Rows[R]->Of[1];
    Sum += Column + 1 == Samples ? Rows[R]->Of[1] : Rows[R]->Of[2];
  }
  return Middle.Of[1] - Sum / 9;
}

__global__ void before(const float *Image, float *Noise, int Samples, int Lines,
                       int Pitch) {
  const int Line = blockIdx.y * 8 + threadIdx.y;
  const int Column = blockIdx.x * 32 + threadIdx.x;
  if (Line >= Lines || Column >= Samples)
    return;
  const int Pixel = Line * Samples + Column;
  const float *At = Image + size_t(blockIdx.z) * Pitch + Pixel;
  const Row Middle = rowAt(At), Above = rowAt(At - Samples),
            Below = rowAt(At + Samples);
  Noise[size_t(blockIdx.z) * Pitch + Pixel] =
      difference(Above, Middle, Below, Column, Samples);
}

__global__ void after(const float *Image, float *Noise, int Samples, int Lines,
                      int Pitch) {
  const int Line = (blockIdx.y * 8 + threadIdx.y) * 4;
  const int Column = blockIdx.x * 32 + threadIdx.x;
  if (Line >= Lines || Column >= Samples)
    return;
  const int Pixel = Line * Samples + Column, Left = Lines - Line;
  const float *At = Image + size_t(blockIdx.z) * Pitch + Pixel;
  Row Rows[6];
#pragma unroll
  for (int R = 0; R < 6; ++R)
    Rows[R] = rowAt(At + min(R - 1, Left) * Samples);
#pragma unroll
  for (int R = 0; R < 4; ++R)
    if (R < Left)
      Noise[size_t(blockIdx.z) * Pitch + Pixel + R * Samples] =
          difference(Rows[R], Rows[R + 1], Rows[R + 2], Column, Samples);
}

int main() {
  constexpr int Pitch = Samples * (Lines + 2) + 2;
  const float *In = input<float>(size_t(Pitch) * Bands + 2 * Samples);
  float *Expected = output<float>(size_t(Pitch) * Bands),
        *Out = output<float>(size_t(Pitch) * Bands);
  Pair P("mean-of-nine-rows-of-four");
  P.same(Expected, Out, size_t(Pitch) * Bands);
  const dim3 Block(32, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3((Samples + 31) / 32, (Lines + 7) / 8, Bands), Block>>>(
          In + Samples + 1, Expected, Samples, Lines, Pitch);
    else
      after<<<dim3((Samples + 31) / 32, (Lines + 31) / 32, Bands), Block>>>(
          In + Samples + 1, Out, Samples, Lines, Pitch);
}
