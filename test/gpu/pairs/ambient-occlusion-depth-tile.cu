// Rule: ?
// Ambient occlusion in screen space from sixteen depths at most six pixels
// away: read where they are, or from a tile in shared memory that each block
// fills with its surroundings. L1 serves what neighbours share.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1080, Reach = 6;
constexpr int Pitch = Width + 32, Rows = Height + 2 * Reach;
constexpr int BlockX = 32, BlockY = 8, Taps = 16;
constexpr int TileX = BlockX + 2 * Reach, TileY = BlockY + 2 * Reach;

__constant__ int2 Offset[Taps] = {
    {1, 0},  {-1, 1},  {0, -2}, {2, 2},  {-3, 0}, {3, -2}, {-2, -3}, {1, 4},
    {4, 1},  {-4, 2},  {-1, -5}, {5, -3}, {-5, -2}, {2, 5}, {6, 0},   {-3, 6}};

__device__ float hidden(float Own, float Other) {
  const float Nearer = 8 * (Own - Other);
  return __fdividef(fmaxf(Nearer - 0.1f, 0.0f), 1 + Nearer * Nearer);
}

__global__ void before(const float *__restrict__ Depth,
                       float *__restrict__ Open) {
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = blockIdx.y * BlockY + threadIdx.y;
  const float *Centre = Depth + (Y + Reach) * Pitch + X + Reach;
  const float Own = *Centre;
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Taps; ++T)
    Sum += hidden(Own, Centre[Offset[T].y * Pitch + Offset[T].x]);
  Open[Y * Width + X] = 1 - Sum / Taps;
}

__global__ void after(const float *__restrict__ Depth,
                      float *__restrict__ Open) {
  __shared__ float Tile[TileY][TileX];
  const int Left = blockIdx.x * BlockX, Top = blockIdx.y * BlockY;
  for (int Row = threadIdx.y; Row < TileY; Row += BlockY)
    for (int Column = threadIdx.x; Column < TileX; Column += BlockX)
      Tile[Row][Column] = Depth[(Top + Row) * Pitch + Left + Column];
  __syncthreads();
  const float *Centre = &Tile[threadIdx.y + Reach][threadIdx.x + Reach];
  const float Own = *Centre;
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Taps; ++T)
    Sum += hidden(Own, Centre[Offset[T].y * TileX + Offset[T].x]);
  Open[(Top + threadIdx.y) * Width + Left + threadIdx.x] = 1 - Sum / Taps;
}

int main() {
  const float *Depth = input<float>(Pitch * Rows);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("ambient-occlusion-depth-tile");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / BlockX, Height / BlockY), dim3(BlockX, BlockY)>>>(
          Depth, Expected);
    else
      after<<<dim3(Width / BlockX, Height / BlockY), dim3(BlockX, BlockY)>>>(
          Depth, Out);
}
