// Rule: cuda-memory-uncoalesced-access
// The brightest voxel of each row of a scan, for a view from the side: a
// thread walks along a row of 512 voxels, or a warp does.
#include "Pair.cuh"

constexpr int Length = 512, Rows = 192 * 256;

__global__ void before(const uint16_t *Voxels, uint16_t *Brightest) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t Most = 0;
  for (int X = 0; X < Length; ++X)
    Most = max(Most, uint32_t(Voxels[size_t(Row) * Length + X]));
  Brightest[Row] = uint16_t(Most);
}

__global__ void after(const uint16_t *Voxels, uint16_t *Brightest) {
  const int Row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  uint32_t Most = 0;
  for (int X = Lane; X < Length; X += 32)
    Most = max(Most, uint32_t(Voxels[size_t(Row) * Length + X]));
  Most = __reduce_max_sync(~0u, Most);
  if (Lane == 0)
    Brightest[Row] = uint16_t(Most);
}

int main() {
  const uint16_t *Voxels = input<uint16_t>(size_t(Rows) * Length, 4096);
  uint16_t *Expected = output<uint16_t>(Rows), *Out = output<uint16_t>(Rows);
  Pair P("projection-rows-by-warps");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 128, 128>>>(Voxels, Expected);
    else
      after<<<Rows / 8, 256>>>(Voxels, Out);
}
