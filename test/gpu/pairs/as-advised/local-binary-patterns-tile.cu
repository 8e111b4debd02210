// Rule: cuda-memory-narrow-access
// Local binary patterns of a grey picture, of the eight neighbours of each
// pixel: a thread has one pixel, or, as advised, four neighbouring ones, loaded
// as one uchar4 of each row and the bytes beside them one by one.
#include "../Pair.cuh"

constexpr int Width = 4096, Height = 4096;
constexpr int TileX = 32, TileY = 8, Each = 4;

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

// The rows begin at multiples of 4 bytes: W is a multiple of 4.
__device__ void load(const uint8_t *Row, int X, int W, int *Pixels) {
  const uchar4 Four = *reinterpret_cast<const uchar4 *>(Row + X);
  Pixels[0] = Row[max(X - 1, 0)];
  Pixels[1] = Four.x;
  Pixels[2] = Four.y;
  Pixels[3] = Four.z;
  Pixels[4] = Four.w;
  Pixels[5] = Row[min(X + Each, W - 1)];
}

__device__ uint8_t codeOf(const int *Above, const int *Here, const int *Below) {
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
  return uint8_t(Code);
}

__global__ void after(const uint8_t *__restrict__ Image,
                      uint8_t *__restrict__ Pattern, int W, int H) {
  const int X = Each * (blockIdx.x * blockDim.x + threadIdx.x);
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= W || Y >= H)
    return;
  int Above[Each + 2], Here[Each + 2], Below[Each + 2];
  load(Image + max(Y - 1, 0) * W, X, W, Above);
  load(Image + Y * W, X, W, Here);
  load(Image + min(Y + 1, H - 1) * W, X, W, Below);
  *reinterpret_cast<uchar4 *>(Pattern + Y * W + X) = make_uchar4(
      codeOf(Above, Here, Below), codeOf(Above + 1, Here + 1, Below + 1),
      codeOf(Above + 2, Here + 2, Below + 2),
      codeOf(Above + 3, Here + 3, Below + 3));
}

int main() {
  constexpr size_t Pixels = size_t(Width) * Height;
  const uint8_t *Image = input<uint8_t>(Pixels, 256);
  uint8_t *Expected = output<uint8_t>(Pixels), *Out = output<uint8_t>(Pixels);
  Pair P("local-binary-patterns-tile-as-advised");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / TileX, Height / TileY), dim3(TileX, TileY)>>>(
          Image, Expected, Width, Height);
    else
      after<<<dim3(Width / TileX / Each, Height / TileY), dim3(TileX, TileY)>>>(
          Image, Out, Width, Height);
}
