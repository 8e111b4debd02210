// Rule: cuda-memory-missing-reuse
// FAST corners of a picture: nine neighbours on end, of the sixteen on a circle
// of radius three, must be brighter or darker than the middle. The remedy reads
// the neighbours from a tile in shared memory.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 3072, Radius = 3, Threshold = 20;
constexpr int BlockX = 32, BlockY = 8;

__device__ bool nineOnEnd(unsigned Bits) {
  Bits |= Bits << 16;
  unsigned Run = Bits & Bits >> 1;
  Run &= Run >> 2;
  Run &= Run >> 4;
  return Run & Bits >> 8;
}

template <int Pitch> __device__ bool isCorner(const unsigned char *Middle) {
  constexpr int DX[] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1};
  constexpr int DY[] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
  const int Value = *Middle;
  unsigned Brighter = 0, Darker = 0;
#pragma unroll
  for (int I = 0; I < 16; ++I) {
    const int Other = Middle[DY[I] * Pitch + DX[I]];
    Brighter |= (Other > Value + Threshold) << I;
    Darker |= (Other < Value - Threshold) << I;
  }
  return nineOnEnd(Brighter) || nineOnEnd(Darker);
}

__device__ bool inside(int X, int Y) {
  return X >= Radius && X < Width - Radius && Y >= Radius &&
         Y < Height - Radius;
}

__global__ void before(const unsigned char *__restrict__ In,
                       unsigned char *__restrict__ Out) {
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = blockIdx.y * BlockY + threadIdx.y;
  if (inside(X, Y))
    Out[Y * Width + X] = isCorner<Width>(In + Y * Width + X) ? 255 : 0;
}

__global__ void after(const unsigned char *__restrict__ In,
                      unsigned char *__restrict__ Out) {
  constexpr int TileX = BlockX + 2 * Radius, TileY = BlockY + 2 * Radius;
  __shared__ unsigned char Tile[TileY][TileX];
  const int Left = blockIdx.x * BlockX - Radius;
  const int Top = blockIdx.y * BlockY - Radius;
  for (int I = threadIdx.y * BlockX + threadIdx.x; I < TileX * TileY;
       I += BlockX * BlockY) {
    const int X = min(max(Left + I % TileX, 0), Width - 1);
    const int Y = min(max(Top + I / TileX, 0), Height - 1);
    Tile[I / TileX][I % TileX] = In[Y * Width + X];
  }
  __syncthreads();
  const int X = blockIdx.x * BlockX + threadIdx.x;
  const int Y = blockIdx.y * BlockY + threadIdx.y;
  const unsigned char *Middle =
      &Tile[0][0] + (threadIdx.y + Radius) * TileX + threadIdx.x + Radius;
  if (inside(X, Y))
    Out[Y * Width + X] = isCorner<TileX>(Middle) ? 255 : 0;
}

int main() {
  const unsigned char *In = input<unsigned char>(Width * Height, 256);
  unsigned char *Expected = output<unsigned char>(Width * Height),
                *Out = output<unsigned char>(Width * Height);
  Pair P("fast-corners-tile");
  P.same(Expected, Out, Width * Height);
  const dim3 Grid(Width / BlockX, Height / BlockY), Block(BlockX, BlockY);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(In, Expected);
    else
      after<<<Grid, Block>>>(In, Out);
}
