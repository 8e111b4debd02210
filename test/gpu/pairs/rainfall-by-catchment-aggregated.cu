// Rule: cuda-memory-atomic-contention
// Rain that fell on each of 300 catchments, from rasters of rain and of the
// catchment's number: an atomic for each cell, or for each warp where its cells
// lie in one catchment, as most do.
#include "Pair.cuh"

constexpr int Width = 3000, Height = 2000, Cells = Width * Height;
constexpr int Across = 20, Down = 15, Catchments = Across * Down;

__global__ void before(const unsigned short *__restrict__ Rain,
                       const short *__restrict__ Catchment,
                       unsigned *__restrict__ Total) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Cells)
    atomicAdd(&Total[Catchment[I]], unsigned(Rain[I]));
}

// Cells is a multiple of 32: warps are whole or idle.
__global__ void after(const unsigned short *__restrict__ Rain,
                      const short *__restrict__ Catchment,
                      unsigned *__restrict__ Total) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Cells)
    return;
  const int Mine = Catchment[I];
  const unsigned Fell = Rain[I];
  int Alike;
  __match_all_sync(~0u, Mine, &Alike);
  if (!Alike) {
    atomicAdd(&Total[Mine], Fell);
    return;
  }
  const unsigned Sum = __reduce_add_sync(~0u, Fell);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Total[Mine], Sum);
}

int main() {
  // Catchments with winding divides.
  std::vector<short> Map(Cells);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      const int Column = int(X + 40 * std::sin(Y * 0.03)) / (Width / Across),
                Row = int(Y + 35 * std::sin(X * 0.02)) / (Height / Down);
      Map[Y * Width + X] = std::clamp(Row, 0, Down - 1) * Across +
                           std::clamp(Column, 0, Across - 1);
    }
  const short *Catchment = onDevice(Map);
  const unsigned short *Rain = input<unsigned short>(Cells, 800);
  unsigned *Expected = output<unsigned>(Catchments),
           *Out = output<unsigned>(Catchments);
  Pair P("rainfall-by-catchment-aggregated");
  P.same(Expected, Out, Catchments);
  const int Blocks = (Cells + 255) / 256;
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Rain, Catchment, Expected);
    else
      after<<<Blocks, 256>>>(Rain, Catchment, Out);
}
