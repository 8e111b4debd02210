// Rule: cuda-memory-narrow-access
// A fisheye camera's picture straightened by a table that says for each pixel
// where to look. The remedy stores the places as 16-bit numbers of eighths of a
// pixel instead of as floats.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, N = Width * Height;

__device__ unsigned char mixedOfFour(const unsigned char *In, int X, int Y,
                                     float PartX, float PartY) {
  const unsigned char *P = In + Y * Width + X;
  const float Upper = P[0] + PartX * (P[1] - P[0]);
  const float Lower = P[Width] + PartX * (P[Width + 1] - P[Width]);
  return Upper + PartY * (Lower - Upper) + 0.5f;
}

__global__ void before(const unsigned char *__restrict__ In,
                       const float2 *__restrict__ Map,
                       unsigned char *__restrict__ Out) {
  const int I = (blockIdx.y * blockDim.y + threadIdx.y) * Width +
                blockIdx.x * blockDim.x + threadIdx.x;
  const float2 Place = Map[I];
  const int X = int(Place.x), Y = int(Place.y);
  Out[I] = mixedOfFour(In, X, Y, Place.x - X, Place.y - Y);
}

__global__ void after(const unsigned char *__restrict__ In,
                      const short2 *__restrict__ Map,
                      unsigned char *__restrict__ Out) {
  const int I = (blockIdx.y * blockDim.y + threadIdx.y) * Width +
                blockIdx.x * blockDim.x + threadIdx.x;
  const short2 Place = Map[I];
  Out[I] = mixedOfFour(In, Place.x >> 3, Place.y >> 3, (Place.x & 7) * 0.125f,
                       (Place.y & 7) * 0.125f);
}

int main() {
  std::vector<float2> Floats(N);
  std::vector<short2> Shorts(N);
  for (int I = 0; I < N; ++I) {
    const float X = I % Width - Width / 2, Y = I / Width - Height / 2;
    const float Scale = 1 - 0.15f * (X * X + Y * Y) / (2048.0f * 2048.0f);
    const int AtX = int(8 * (X * Scale + Width / 2)),
              AtY = int(8 * (Y * Scale + Height / 2));
    Shorts[I].x = std::clamp(AtX, 0, 8 * (Width - 2));
    Shorts[I].y = std::clamp(AtY, 0, 8 * (Height - 2));
    Floats[I] = make_float2(Shorts[I].x / 8.0f, Shorts[I].y / 8.0f);
  }
  const unsigned char *In = input<unsigned char>(N, 256);
  const float2 *Wide = onDevice(Floats);
  const short2 *Narrow = onDevice(Shorts);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("fisheye-remap-table-short2");
  P.same(Expected, Out, N);
  const dim3 Grid(Width / 64, Height / 4), Block(64, 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Wide, Expected);
    else
      after<<<Grid, Block>>>(In, Narrow, Out);
}
