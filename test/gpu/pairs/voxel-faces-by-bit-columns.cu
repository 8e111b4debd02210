// Rule: cuda-memory-narrow-access
// Counts the faces of a world of blocks that the player can see, for each of
// its columns, before a mesh is made of them. Whether there is a block is a
// byte a cell, by layers, or a bit of a 64-bit word a column.
#include "Pair.cuh"

constexpr int Width = 1024, Height = 64, Pitch = Width + 2;
constexpr size_t Layer = size_t(Pitch) * Pitch;

struct Faces {
  uint16_t Sides, Tops;
};

__global__ void before(const uint8_t *__restrict__ Cells,
                       Faces *__restrict__ Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Width)
    return;
  const uint8_t *Cell = Cells + size_t(Y + 1) * Pitch + X + 1;
  int Sides = 0, Tops = 0;
  bool Below = true;
  for (int Z = 0; Z < Height; ++Z, Cell += Layer) {
    const bool Here = Cell[0];
    if (Here)
      Sides += !Cell[-1] + !Cell[1] + !Cell[-Pitch] + !Cell[Pitch];
    Tops += Here != Below;
    Below = Here;
  }
  Tops += Below;
  Out[Y * Width + X] = {uint16_t(Sides), uint16_t(Tops)};
}

__global__ void after(const uint64_t *__restrict__ Columns,
                      Faces *__restrict__ Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Width)
    return;
  const uint64_t *Column = Columns + size_t(Y + 1) * Pitch + X + 1;
  const uint64_t Here = Column[0];
  const int Sides = __popcll(Here & ~Column[-1]) + __popcll(Here & ~Column[1]) +
                    __popcll(Here & ~Column[-Pitch]) +
                    __popcll(Here & ~Column[Pitch]);
  const int Tops = __popcll(Here ^ (Here << 1 | 1)) + int(Here >> 63);
  Out[Y * Width + X] = {uint16_t(Sides), uint16_t(Tops)};
}

int main() {
  std::vector<uint8_t> Cells(Layer * Height);
  std::vector<uint64_t> Columns(Layer);
  for (int Y = 0; Y < Pitch; ++Y)
    for (int X = 0; X < Pitch; ++X) {
      const size_t I = size_t(Y) * Pitch + X;
      const double Ground =
          32 + 12 * std::sin(X * 0.03) * std::cos(Y * 0.04) + mixed(I) % 4;
      for (int Z = 0; Z < Height; ++Z)
        if (Z < Ground && mixed(I * Height + Z) % 16 > 0) {
          Cells[Z * Layer + I] = 1;
          Columns[I] |= uint64_t(1) << Z;
        }
    }
  const uint8_t *DeviceCells = onDevice(Cells);
  const uint64_t *DeviceColumns = onDevice(Columns);
  constexpr size_t Results = size_t(2) * Width * Width;
  uint16_t *Expected = output<uint16_t>(Results);
  uint16_t *Out = output<uint16_t>(Results);
  Pair P("voxel-faces-by-bit-columns");
  P.same(Expected, Out, Results);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Width / 8), dim3(32, 8)>>>(DeviceCells,
                                                           (Faces *)Expected);
    else
      after<<<dim3(Width / 32, Width / 8), dim3(32, 8)>>>(DeviceColumns,
                                                          (Faces *)Out);
}
