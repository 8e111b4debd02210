// Rule: cuda-memory-bank-conflict
// A matrix of halves is turned, 64 x 64 of them at a time as pairs: columns of
// the tile in shared memory all lie in one bank, or xor spreads them.
#include "Pair.cuh"

constexpr int Side = 4096, Tile = 64, Words = Tile / 2;

__global__ void before(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Pairs[Tile][Words];
  const int X = threadIdx.x, Row = blockIdx.y * Tile, Word = blockIdx.x * Words;
  for (int R = threadIdx.y; R < Tile; R += 8)
    Pairs[R][X] = In[(Row + R) * (Side / 2) + Word + X];
  __syncthreads();
  for (int C = threadIdx.y; C < Words; C += 8) {
    const unsigned Upper = Pairs[2 * X][C], Lower = Pairs[2 * X + 1][C];
    const int To = 2 * (Word + C) * (Side / 2) + Row / 2 + X;
    Out[To] = __byte_perm(Upper, Lower, 0x5410);
    Out[To + Side / 2] = __byte_perm(Upper, Lower, 0x7632);
  }
}

__global__ void after(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Pairs[Tile][Words];
  const int X = threadIdx.x, Row = blockIdx.y * Tile, Word = blockIdx.x * Words;
  for (int R = threadIdx.y; R < Tile; R += 8)
    Pairs[R][X ^ R / 2] = In[(Row + R) * (Side / 2) + Word + X];
  __syncthreads();
  for (int C = threadIdx.y; C < Words; C += 8) {
    const unsigned Upper = Pairs[2 * X][C ^ X], Lower = Pairs[2 * X + 1][C ^ X];
    const int To = 2 * (Word + C) * (Side / 2) + Row / 2 + X;
    Out[To] = __byte_perm(Upper, Lower, 0x5410);
    Out[To + Side / 2] = __byte_perm(Upper, Lower, 0x7632);
  }
}

int main() {
  const unsigned short *In = input<unsigned short>(Side * Side, 0x3c00);
  unsigned short *Expected = output<unsigned short>(Side * Side),
                 *Out = output<unsigned short>(Side * Side);
  Pair P("half-tile-swizzled");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / Tile, Side / Tile), dim3(32, 8)>>>(
          (const unsigned *)In, (unsigned *)Expected);
    else
      after<<<dim3(Side / Tile, Side / Tile), dim3(32, 8)>>>(
          (const unsigned *)In, (unsigned *)Out);
}
