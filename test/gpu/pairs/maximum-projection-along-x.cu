// Rule: cuda-memory-uncoalesced-access
// Maximum intensity projection of a CT volume along x, its fastest axis: a
// thread walks a row alone, so that a warp's lanes are a row apart, or the
// lanes of a warp share the row and shuffle their maxima together.
#include "Pair.cuh"

constexpr int Width = 512, Height = 512, Depth = 128, Rows = Height * Depth;

__global__ void before(const uint16_t *Volume, uint16_t *Projection, int W,
                       int RowCount) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= RowCount)
    return;
  const uint16_t *Line = Volume + size_t(Row) * W;
  int Most = 0;
  for (int X = 0; X < W; ++X)
    Most = max(Most, int(Line[X]));
  Projection[Row] = uint16_t(Most);
}

__global__ void after(const uint16_t *Volume, uint16_t *Projection, int W,
                      int RowCount) {
  const int Lane = threadIdx.x % 32;
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (Row >= RowCount)
    return;
  const uint16_t *Line = Volume + size_t(Row) * W;
  int Most = 0;
  for (int X = Lane; X < W; X += 32)
    Most = max(Most, int(Line[X]));
  for (int Off = 16; Off > 0; Off /= 2)
    Most = max(Most, __shfl_xor_sync(~0u, Most, Off));
  if (Lane == 0)
    Projection[Row] = uint16_t(Most);
}

int main() {
  const uint16_t *Volume = input<uint16_t>(size_t(Rows) * Width, 4096);
  uint16_t *Expected = output<uint16_t>(Rows), *Out = output<uint16_t>(Rows);
  Pair P("maximum-projection-along-x");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 128, 128>>>(Volume, Expected, Width, Rows);
    else
      after<<<Rows / 8, 256>>>(Volume, Out, Width, Rows);
}
