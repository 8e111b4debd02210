// Rule: cuda-memory-narrow-access
// A bit for each of eight cells, a byte a thread; behind a number of cells that
// the host tells, zeros. Or four bytes a thread, as one uchar4.
#include "Pair.cuh"

#include <cstdlib>

constexpr unsigned Bytes = 1 << 21;

__global__ void before(unsigned Count, unsigned InUse,
                       const float *__restrict__ Cells,
                       unsigned char *__restrict__ Bits) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  if (I >= InUse) {
    Bits[I] = 0;
    return;
  }
  unsigned char Its = 0;
#pragma unroll
  for (unsigned J = 0; J < 8; ++J)
    Its |= Cells[I * 8 + J] > 0.5f ? 1u << J : 0;
  Bits[I] = Its;
}

__device__ unsigned char bitsOf(unsigned I, unsigned InUse,
                                const float *__restrict__ Cells) {
  if (I >= InUse)
    return 0;
  unsigned char Its = 0;
#pragma unroll
  for (unsigned J = 0; J < 8; ++J)
    Its |= Cells[I * 8 + J] > 0.5f ? 1u << J : 0;
  return Its;
}

__global__ void after(unsigned Count, unsigned InUse,
                      const float *__restrict__ Cells,
                      uchar4 *__restrict__ Bits) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count / 4)
    return;
  Bits[I] = {bitsOf(4 * I, InUse, Cells), bitsOf(4 * I + 1, InUse, Cells),
             bitsOf(4 * I + 2, InUse, Cells), bitsOf(4 * I + 3, InUse, Cells)};
}

int main(int Count, char **Words) {
  const unsigned InUse = Count > 1 ? atoi(Words[1]) : 3 << 18;
  const float *Cells = input<float>(size_t(Bytes) * 8);
  unsigned char *Expected = output<unsigned char>(Bytes),
                *Bits = output<unsigned char>(Bytes);
  Pair P("bits-of-cells-in-use");
  P.same(Expected, Bits, Bytes);
  while (P.next())
    if (P.beforesTurn())
      before<<<Bytes / 128, 128>>>(Bytes, InUse, Cells, Expected);
    else
      after<<<Bytes / 512, 128>>>(Bytes, InUse, Cells,
                                  reinterpret_cast<uchar4 *>(Bits));
}
