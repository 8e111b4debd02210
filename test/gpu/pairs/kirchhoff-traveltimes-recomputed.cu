// Rule: ?
// Kirchhoff migration of one common-offset section: travel times from source
// and receiver to each point of the image, in 256ths of a sample, loaded from
// tables of 72 stations, or recomputed along straight rays.
// Options: --buffer=Times=sorted,count=9437184,below=117440
#include "Pair.cuh"

constexpr int Width = 512, Depth = 256, Points = Width * Depth;
constexpr int Traces = 64, Offset = 8, Stations = Traces + Offset;
constexpr int Samples = 1024, Spacing = 7;
constexpr float Slowness = 0.8f;

__device__ unsigned travelTime(int X, int Z, int Station) {
  const float Aside = X - Spacing * Station, Down = Z + 1;
  const float Square = Aside * Aside + Down * Down;
  return unsigned(256 * Slowness * Square * rsqrtf(Square));
}

__global__ void fillTables(unsigned *Times) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Z = blockIdx.y;
  const int Station = blockIdx.z;
  Times[Station * Points + Z * Width + X] = travelTime(X, Z, Station);
}

__global__ void before(const float *__restrict__ Section,
                       const unsigned *__restrict__ Times,
                       float *__restrict__ Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Z = blockIdx.y * blockDim.y + threadIdx.y;
  const int Point = Z * Width + X;
  float Sum = 0;
  for (int Trace = 0; Trace < Traces; ++Trace) {
    const unsigned Time = Times[Trace * Points + Point] +
                          Times[(Trace + Offset) * Points + Point];
    const float *Sample = Section + Trace * Samples + (Time >> 8);
    const float Fraction = (Time & 255) / 256.0f;
    Sum += Sample[0] + Fraction * (Sample[1] - Sample[0]);
  }
  Image[Point] = Sum;
}

__global__ void after(const float *__restrict__ Section,
                      float *__restrict__ Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Z = blockIdx.y * blockDim.y + threadIdx.y;
  float Sum = 0;
  for (int Trace = 0; Trace < Traces; ++Trace) {
    const unsigned Time =
        travelTime(X, Z, Trace) + travelTime(X, Z, Trace + Offset);
    const float *Sample = Section + Trace * Samples + (Time >> 8);
    const float Fraction = (Time & 255) / 256.0f;
    Sum += Sample[0] + Fraction * (Sample[1] - Sample[0]);
  }
  Image[Z * Width + X] = Sum;
}

int main() {
  const float *Section = input<float>(Traces * Samples);
  unsigned *Times = output<unsigned>(Stations * Points);
  fillTables<<<dim3(Width / 256, Depth, Stations), 256>>>(Times);
  float *Expected = output<float>(Points), *Out = output<float>(Points);
  Pair P("kirchhoff-traveltimes-recomputed");
  P.same(Expected, Out, Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Depth / 8), dim3(32, 8)>>>(Section, Times,
                                                           Expected);
    else
      after<<<dim3(Width / 32, Depth / 8), dim3(32, 8)>>>(Section, Out);
}
