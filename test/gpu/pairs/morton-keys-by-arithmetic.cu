// Rule: cuda-memory-constant-nonuniform
// Morton keys of four million points with coordinates of 16 bits: the bits of a
// byte spread by a table in constant memory, where lanes diverge, or by shifts.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__constant__ unsigned Spread[256];

__device__ uint64_t spreadByTable(unsigned X) {
  return uint64_t(Spread[X >> 8]) << 24 | Spread[X & 255];
}

__device__ uint64_t spreadByShifts(uint64_t X) {
  X = (X | X << 16) & 0x0000ff0000ff;
  X = (X | X << 8) & 0x00f00f00f00f;
  X = (X | X << 4) & 0x0c30c30c30c3;
  return (X | X << 2) & 0x249249249249;
}

__global__ void before(const ushort4 *__restrict__ Points,
                       uint64_t *__restrict__ Keys) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const ushort4 P = Points[I];
  Keys[I] =
      spreadByTable(P.x) | spreadByTable(P.y) << 1 | spreadByTable(P.z) << 2;
}

__global__ void after(const ushort4 *__restrict__ Points,
                      uint64_t *__restrict__ Keys) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const ushort4 P = Points[I];
  Keys[I] =
      spreadByShifts(P.x) | spreadByShifts(P.y) << 1 | spreadByShifts(P.z) << 2;
}

int main() {
  unsigned Table[256] = {};
  for (unsigned I = 0; I < 256; ++I)
    for (unsigned Bit = 0; Bit < 8; ++Bit)
      Table[I] |= (I >> Bit & 1) << 3 * Bit;
  must(cudaMemcpyToSymbol(Spread, Table, sizeof(Table)));
  const ushort4 *Points = (const ushort4 *)input<unsigned short>(4 * N, 65536);
  uint64_t *Expected = output<uint64_t>(N), *Out = output<uint64_t>(N);
  Pair P("morton-keys-by-arithmetic");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Points, Expected);
    else
      after<<<N / 256, 256>>>(Points, Out);
}
