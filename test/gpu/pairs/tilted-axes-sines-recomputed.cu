// Rule: ?
// The derivative of a wave field along the tilted axis of symmetry of the rock:
// sines and cosines of both angles loaded from four volumes, or computed from
// the angles themselves, which are two.
#include "Pair.cuh"

constexpr int Width = 256, Height = 256, Depth = 64, Plane = Width * Height;
constexpr int N = Plane * Depth, Halo = 2;

__device__ float slope(const float *__restrict__ Field, int Cell, int Step) {
  return 0.66667f * (Field[Cell + Step] - Field[Cell - Step]) -
         0.08333f * (Field[Cell + 2 * Step] - Field[Cell - 2 * Step]);
}

__device__ bool inside(int X, int Y, int Z) {
  return X >= Halo && X < Width - Halo && Y >= Halo && Y < Height - Halo &&
         Z >= Halo && Z < Depth - Halo;
}

__global__ void before(const float *__restrict__ Field,
                       const float *__restrict__ SineOfTilt,
                       const float *__restrict__ CosineOfTilt,
                       const float *__restrict__ SineOfAzimuth,
                       const float *__restrict__ CosineOfAzimuth,
                       float *__restrict__ AlongAxis) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y, Z = blockIdx.z;
  if (!inside(X, Y, Z))
    return;
  const int Cell = Z * Plane + Y * Width + X;
  const float Level = CosineOfAzimuth[Cell] * slope(Field, Cell, 1) +
                      SineOfAzimuth[Cell] * slope(Field, Cell, Width);
  AlongAxis[Cell] = SineOfTilt[Cell] * Level +
                    CosineOfTilt[Cell] * slope(Field, Cell, Plane);
}

__global__ void after(const float *__restrict__ Field,
                      const float *__restrict__ Tilt,
                      const float *__restrict__ Azimuth,
                      float *__restrict__ AlongAxis) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y, Z = blockIdx.z;
  if (!inside(X, Y, Z))
    return;
  const int Cell = Z * Plane + Y * Width + X;
  float SineOfTilt, CosineOfTilt, SineOfAzimuth, CosineOfAzimuth;
  __sincosf(Tilt[Cell], &SineOfTilt, &CosineOfTilt);
  __sincosf(Azimuth[Cell], &SineOfAzimuth, &CosineOfAzimuth);
  const float Level = CosineOfAzimuth * slope(Field, Cell, 1) +
                      SineOfAzimuth * slope(Field, Cell, Width);
  AlongAxis[Cell] =
      SineOfTilt * Level + CosineOfTilt * slope(Field, Cell, Plane);
}

__global__ void fillSines(const float *Angle, float *Sine, float *Cosine) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  sincosf(Angle[I], Sine + I, Cosine + I);
}

int main() {
  const float *Field = input<float>(N), *Tilt = input<float>(N),
              *Azimuth = input<float>(N + 320) + 320;
  float *SineOfTilt = output<float>(N), *CosineOfTilt = output<float>(N),
        *SineOfAzimuth = output<float>(N), *CosineOfAzimuth = output<float>(N);
  fillSines<<<N / 256, 256>>>(Tilt, SineOfTilt, CosineOfTilt);
  fillSines<<<N / 256, 256>>>(Azimuth, SineOfAzimuth, CosineOfAzimuth);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("tilted-axes-sines-recomputed");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8, Depth), dim3(32, 8)>>>(
          Field, SineOfTilt, CosineOfTilt, SineOfAzimuth, CosineOfAzimuth,
          Expected);
    else
      after<<<dim3(Width / 32, Height / 8, Depth), dim3(32, 8)>>>(
          Field, Tilt, Azimuth, Out);
}
