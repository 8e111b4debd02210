//===- V2.cu - A block an element, sums in registers ----------------------===//

#include "Covariance.h"

namespace mnf {

constexpr int Threads = 256;

template <typename Sample>
__global__ void addProductsInRegisters(const Sample *Data, int64_t *Products,
                                       int Bands, int Pixels, int Pitch) {
  __shared__ int64_t Sums[Threads];
  int Column = blockIdx.x, Row = blockIdx.y, Thread = threadIdx.x;
  int64_t Sum = 0;
  for (int Pixel = Thread; Pixel < Pixels; Pixel += Threads)
    Sum += int(Data[size_t(Row) * Pitch + Pixel]) *
           int(Data[size_t(Column) * Pitch + Pixel]);
  Sums[Thread] = Sum;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (Thread < Half)
      Sums[Thread] += Sums[Thread + Half];
    __syncthreads();
  }
  if (Thread == 0)
    Products[Row * Bands + Column] += Sums[0];
}

template <typename Sample>
void addProductsV2(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch) {
  dim3 Grid(Bands, Bands);
  addProductsInRegisters<<<Grid, Threads>>>(Data, Products, Bands, Pixels,
                                            Pitch);
}

template void addProductsV2(const uint8_t *, int64_t *, int, int, int);
template void addProductsV2(const int16_t *, int64_t *, int, int, int);

} // namespace mnf
