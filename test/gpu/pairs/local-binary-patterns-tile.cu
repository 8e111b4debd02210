// Rule: cuda-memory-missing-reuse
// Local binary patterns of a grey picture, eight neighbours of each pixel, all
// read from global memory, of which L1 holds the rows, or from a tile in shared
// memory with a border of one pixel.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 4096;
constexpr int TileX = 32, TileY = 8;

__global__ void before(const uint8_t *__restrict__ Image,
                       uint8_t *__restrict__ Pattern, int W, int H) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  const int Left = max(X - 1, 0), Right = min(X + 1, W - 1);
  const uint8_t *Above = Image + max(Y - 1, 0) * W, *Here = Image + Y * W,
                *Below = Image + min(Y + 1, H - 1) * W;
  const int Centre = Here[X];
  int Code = 0;
  Code |= (Above[Left] >= Centre) << 0;
  Code |= (Above[X] >= Centre) << 1;
  Code |= (Above[Right] >= Centre) << 2;
  Code |= (Here[Right] >= Centre) << 3;
  Code |= (Below[Right] >= Centre) << 4;
  Code |= (Below[X] >= Centre) << 5;
  Code |= (Below[Left] >= Centre) << 6;
  Code |= (Here[Left] >= Centre) << 7;
  Pattern[Y * W + X] = uint8_t(Code);
}

__global__ void after(const uint8_t *__restrict__ Image,
                      uint8_t *__restrict__ Pattern, int W, int H) {
  __shared__ uint8_t Tile[TileY + 2][TileX + 2];
  const int FirstX = blockIdx.x * TileX - 1, FirstY = blockIdx.y * TileY - 1;
  for (int R = threadIdx.y; R < TileY + 2; R += TileY)
    for (int C = threadIdx.x; C < TileX + 2; C += TileX) {
      const int X = min(max(FirstX + C, 0), W - 1),
                Y = min(max(FirstY + R, 0), H - 1);
      Tile[R][C] = Image[Y * W + X];
    }
  __syncthreads();
  const int X = blockIdx.x * TileX + threadIdx.x;
  const int Y = blockIdx.y * TileY + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  const uint8_t *Above = Tile[threadIdx.y] + threadIdx.x,
                *Here = Above + TileX + 2, *Below = Here + TileX + 2;
  const int Centre = Here[1];
  int Code = 0;
  Code |= (Above[0] >= Centre) << 0;
  Code |= (Above[1] >= Centre) << 1;
  Code |= (Above[2] >= Centre) << 2;
  Code |= (Here[2] >= Centre) << 3;
  Code |= (Below[2] >= Centre) << 4;
  Code |= (Below[1] >= Centre) << 5;
  Code |= (Below[0] >= Centre) << 6;
  Code |= (Here[0] >= Centre) << 7;
  Pattern[Y * W + X] = uint8_t(Code);
}

int main() {
  constexpr size_t Pixels = size_t(Width) * Height;
  const uint8_t *Image = input<uint8_t>(Pixels, 256);
  uint8_t *Expected = output<uint8_t>(Pixels), *Out = output<uint8_t>(Pixels);
  Pair P("local-binary-patterns-tile");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / TileX, Height / TileY), dim3(TileX, TileY)>>>(
          Image, Expected, Width, Height);
    else
      after<<<dim3(Width / TileX, Height / TileY), dim3(TileX, TileY)>>>(
          Image, Out, Width, Height);
}
