// Rule: cuda-memory-uncoalesced-access
// Axial slices of a CT volume of 16-bit voxels rearranged to sagittal slices,
// straight from global memory to global memory or by tiles in shared memory.
#include "Pair.cuh"

constexpr int Width = 400, Depth = 380, Slices = 200;
constexpr int Side = 32, Rows = 8;

__global__ void before(const short *__restrict__ Axial,
                       short *__restrict__ Sagittal) {
  const int X = blockIdx.x * Side + threadIdx.x, Z = blockIdx.z;
  for (int Y = blockIdx.y * Side + threadIdx.y;
       Y < min(int(blockIdx.y + 1) * Side, Depth); Y += Rows)
    if (X < Width)
      Sagittal[(X * Slices + Z) * Depth + Y] =
          Axial[(Z * Depth + Y) * Width + X];
}

__global__ void after(const short *__restrict__ Axial,
                      short *__restrict__ Sagittal) {
  __shared__ short Tile[Side][Side + 2];
  const int FirstX = blockIdx.x * Side, FirstY = blockIdx.y * Side;
  const int Z = blockIdx.z;
  for (int J = threadIdx.y; J < Side; J += Rows) {
    const int X = FirstX + threadIdx.x, Y = FirstY + J;
    if (X < Width && Y < Depth)
      Tile[J][threadIdx.x] = Axial[(Z * Depth + Y) * Width + X];
  }
  __syncthreads();
  for (int J = threadIdx.y; J < Side; J += Rows) {
    const int X = FirstX + J, Y = FirstY + threadIdx.x;
    if (X < Width && Y < Depth)
      Sagittal[(X * Slices + Z) * Depth + Y] = Tile[threadIdx.x][J];
  }
}

int main() {
  constexpr int Count = Width * Depth * Slices;
  const short *Axial = input<short>(Count, 4096);
  short *Expected = output<short>(Count), *Out = output<short>(Count);
  Pair P("axial-to-sagittal-in-tiles");
  P.same(Expected, Out, Count);
  const dim3 Grid((Width + Side - 1) / Side, (Depth + Side - 1) / Side, Slices),
      Block(Side, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Axial, Expected);
    else
      after<<<Grid, Block>>>(Axial, Out);
}
