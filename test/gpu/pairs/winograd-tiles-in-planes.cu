// Rule: cuda-memory-uncoalesced-access
// Tiles of 4 by 4, two apart, of the channels of a picture, transformed for a
// convolution by Winograd's F(2x2, 3x3): the sixteen numbers of a tile are
// stored one beside the other, or in sixteen planes.
#include "Pair.cuh"

constexpr int Channels = 128, Across = 64, Down = 64;
constexpr int Pitch = 132, Height = 2 * Down + 2;
constexpr int Tiles = Channels * Down * Across;

__device__ void transformed(const float *In, float (&D)[4][4]) {
#pragma unroll
  for (int R = 0; R < 4; ++R) {
    const float *Row = In + R * Pitch;
    const float A = Row[0], B = Row[1], C = Row[2], E = Row[3];
    D[R][0] = A - C;
    D[R][1] = B + C;
    D[R][2] = C - B;
    D[R][3] = B - E;
  }
#pragma unroll
  for (int K = 0; K < 4; ++K) {
    const float A = D[0][K], B = D[1][K], C = D[2][K], E = D[3][K];
    D[0][K] = A - C;
    D[1][K] = B + C;
    D[2][K] = C - B;
    D[3][K] = B - E;
  }
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  const int X = threadIdx.x, Y = blockIdx.x * blockDim.y + threadIdx.y;
  const int Channel = blockIdx.y;
  float D[4][4];
  transformed(In + (Channel * Height + 2 * Y) * Pitch + 2 * X, D);
  float *Tile = Out + ((Channel * Down + Y) * Across + X) * 16;
#pragma unroll
  for (int R = 0; R < 4; ++R)
#pragma unroll
    for (int K = 0; K < 4; ++K)
      Tile[R * 4 + K] = D[R][K];
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const int X = threadIdx.x, Y = blockIdx.x * blockDim.y + threadIdx.y;
  const int Channel = blockIdx.y;
  float D[4][4];
  transformed(In + (Channel * Height + 2 * Y) * Pitch + 2 * X, D);
  float *Tile = Out + (Channel * Down + Y) * Across + X;
#pragma unroll
  for (int R = 0; R < 4; ++R)
#pragma unroll
    for (int K = 0; K < 4; ++K)
      Tile[(R * 4 + K) * Tiles] = D[R][K];
}

int main() {
  const float *In = input<float>(Channels * Height * Pitch);
  float *Expected = output<float>(16 * Tiles), *Out = output<float>(16 * Tiles);
  Pair P("winograd-tiles-in-planes");
  P.same(Expected, Out, 16 * Tiles,
         [](size_t I) { return I % 16 * Tiles + I / 16; });
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Down / 4, Channels), dim3(Across, 4)>>>(In, Expected);
    else
      after<<<dim3(Down / 4, Channels), dim3(Across, 4)>>>(In, Out);
}
