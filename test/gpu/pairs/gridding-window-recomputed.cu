// Rule: ?
// Samples off the Cartesian grid of a magnetic resonance scan, interpolated
// from its 4x4 nearest cells: eight weights by a table with interpolation, or
// eight exponentials. Places are fixed-point with 16 bits of fraction.
// Options: --buffer=PlaceX=random,count=524288,below=33292288
// Options: --buffer=PlaceY=random,count=524288,below=33292288
#include "Pair.cuh"

constexpr int N = 1 << 19, Width = 512;
constexpr int PerCell = 512, Entries = 2 * PerCell + 2;
constexpr float Sharpness = 1.5f;

__device__ float weightFromTable(const float *__restrict__ Window,
                                 float Distance) {
  const float Place = Distance * PerCell;
  const int Left = int(Place);
  const float Fraction = Place - Left;
  return Window[Left] + Fraction * (Window[Left + 1] - Window[Left]);
}

__global__ void before(const float2 *__restrict__ Grid,
                       const unsigned *__restrict__ PlaceX,
                       const unsigned *__restrict__ PlaceY,
                       const float *__restrict__ Window,
                       float2 *__restrict__ Sample) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned X = PlaceX[I], Y = PlaceY[I];
  const float FractionX = (X & 65535) / 65536.0f,
              FractionY = (Y & 65535) / 65536.0f;
  float WeightX[4], WeightY[4];
  for (int J = 0; J < 4; ++J) {
    WeightX[J] = weightFromTable(Window, fabsf(FractionX + 1 - J));
    WeightY[J] = weightFromTable(Window, fabsf(FractionY + 1 - J));
  }
  float2 Sum = {0, 0};
  for (int Row = 0; Row < 4; ++Row)
    for (int Column = 0; Column < 4; ++Column) {
      const float2 Cell = Grid[((Y >> 16) + Row) * Width + (X >> 16) + Column];
      Sum.x += WeightX[Column] * WeightY[Row] * Cell.x;
      Sum.y += WeightX[Column] * WeightY[Row] * Cell.y;
    }
  Sample[I] = Sum;
}

__global__ void after(const float2 *__restrict__ Grid,
                      const unsigned *__restrict__ PlaceX,
                      const unsigned *__restrict__ PlaceY,
                      float2 *__restrict__ Sample) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned X = PlaceX[I], Y = PlaceY[I];
  const float FractionX = (X & 65535) / 65536.0f,
              FractionY = (Y & 65535) / 65536.0f;
  float WeightX[4], WeightY[4];
  for (int J = 0; J < 4; ++J) {
    const float DistanceX = FractionX + 1 - J, DistanceY = FractionY + 1 - J;
    WeightX[J] = __expf(-Sharpness * DistanceX * DistanceX);
    WeightY[J] = __expf(-Sharpness * DistanceY * DistanceY);
  }
  float2 Sum = {0, 0};
  for (int Row = 0; Row < 4; ++Row)
    for (int Column = 0; Column < 4; ++Column) {
      const float2 Cell = Grid[((Y >> 16) + Row) * Width + (X >> 16) + Column];
      Sum.x += WeightX[Column] * WeightY[Row] * Cell.x;
      Sum.y += WeightX[Column] * WeightY[Row] * Cell.y;
    }
  Sample[I] = Sum;
}

int main() {
  const float *Grid = input<float>(2 * Width * Width);
  const unsigned *PlaceX = input<unsigned>(N, 33292288),
                 *PlaceY = input<unsigned>(N + 64, 33292288) + 64;
  std::vector<float> Values(Entries);
  for (int I = 0; I < Entries; ++I) {
    const float Distance = float(I) / PerCell;
    Values[I] = std::exp(-Sharpness * Distance * Distance);
  }
  const float *Window = onDevice(Values);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("gridding-window-recomputed");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const float2 *)Grid, PlaceX, PlaceY, Window,
                               (float2 *)Expected);
    else
      after<<<N / 256, 256>>>((const float2 *)Grid, PlaceX, PlaceY,
                              (float2 *)Out);
}
