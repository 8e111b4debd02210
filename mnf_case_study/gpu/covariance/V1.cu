//===- V1.cu - A block an element, sums in shared memory (S_5) ------------===//
//
// The threads of a block walk along two bands together, so a warp reads
// neighbours. Each keeps its sum in shared memory, where the block adds them
// up.
//
//===----------------------------------------------------------------------===//

#include "Covariance.h"

namespace mnf {

constexpr int Threads = 256;

template <typename Sample>
__global__ void addProductsInShared(const Sample *Data, int64_t *Products,
                                    int Bands, int Pixels, int Pitch) {
  // Volatile, as the compiler would keep a running sum in a register: that is
  // V2.
  __shared__ volatile int64_t Sums[Threads];
  int Column = blockIdx.x, Row = blockIdx.y, Thread = threadIdx.x;
  Sums[Thread] = 0;
  for (int Pixel = Thread; Pixel < Pixels; Pixel += Threads)
    Sums[Thread] = Sums[Thread] + int(Data[size_t(Row) * Pitch + Pixel]) *
                                      int(Data[size_t(Column) * Pitch + Pixel]);
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (Thread < Half)
      Sums[Thread] = Sums[Thread] + Sums[Thread + Half];
    __syncthreads();
  }
  if (Thread == 0)
    Products[Row * Bands + Column] += Sums[0];
}

template <typename Sample>
void addProductsV1(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch) {
  dim3 Grid(Bands, Bands);
  addProductsInShared<<<Grid, Threads>>>(Data, Products, Bands, Pixels, Pitch);
}

template void addProductsV1(const uint8_t *, int64_t *, int, int, int);
template void addProductsV1(const int16_t *, int64_t *, int, int, int);

} // namespace mnf
