// Rule: cuda-memory-missing-reuse
// Slope and aspect of a terrain by Horn's method, eight neighbours of each
// cell, as geographic information systems do. Blocks of 16x16 threads, or of
// 64x4, whose warps span whole lines. "Make the block as wide as a warp at
// least", as the coalescing advice for two dimensions goes.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 3072, Pitch = Width + 2;

__device__ void terrain(const float *__restrict__ Elevation,
                        float *__restrict__ Slope, float *__restrict__ Aspect,
                        float Scale) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const float *A = Elevation + Y * Pitch + X, *B = A + Pitch, *C = B + Pitch;
  const float East = (A[2] + 2 * B[2] + C[2]) - (A[0] + 2 * B[0] + C[0]),
              North = (A[0] + 2 * A[1] + A[2]) - (C[0] + 2 * C[1] + C[2]);
  Slope[Y * Width + X] =
      atanf(Scale * sqrtf(East * East + North * North)) * 57.29578f;
  const float Angle = atan2f(East, North) * 57.29578f;
  Aspect[Y * Width + X] = fabsf(Angle);
}

__global__ void before(const float *__restrict__ Elevation,
                       float *__restrict__ Slope, float *__restrict__ Aspect,
                       float Scale) {
  terrain(Elevation, Slope, Aspect, Scale);
}

__global__ void after(const float *__restrict__ Elevation,
                      float *__restrict__ Slope, float *__restrict__ Aspect,
                      float Scale) {
  terrain(Elevation, Slope, Aspect, Scale);
}

int main() {
  constexpr int Cells = Width * Height;
  const float *Elevation = input<float>(Pitch * (Height + 2));
  float *Expected = output<float>(2 * Cells), *Out = output<float>(2 * Cells);
  Pair P("slope-and-aspect-block-64x4");
  P.same(Expected, Out, 2 * Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 16, Height / 16), dim3(16, 16)>>>(
          Elevation, Expected, Expected + Cells, 0.4f);
    else
      after<<<dim3(Width / 64, Height / 4), dim3(64, 4)>>>(Elevation, Out,
                                                           Out + Cells, 0.4f);
}
