//===- V0.cu - A thread an element ----------------------------------------===//
//
// Each thread walks along two bands. Neighbouring threads walk along
// neighbouring bands, a whole image apart, and the running sum stays in global
// memory: what V1 to V4 mend.
//
//===----------------------------------------------------------------------===//

#include "Covariance.h"

namespace mnf {

template <typename Sample>
__global__ void addProductsAlongBands(const Sample *Data, int64_t *Products,
                                      int Bands, int Pixels, int Pitch) {
  int Column = blockIdx.x * blockDim.x + threadIdx.x;
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  if (Column >= Bands || Row >= Bands)
    return;

  int Element = Row * Bands + Column;
  for (int Pixel = 0; Pixel < Pixels; ++Pixel)
    Products[Element] += int(Data[size_t(Row) * Pitch + Pixel]) *
                         int(Data[size_t(Column) * Pitch + Pixel]);
}

template <typename Sample>
void addProductsV0(const Sample *Data, int64_t *Products, int Bands, int Pixels,
                   int Pitch) {
  dim3 Block(16, 16);
  dim3 Grid((Bands + 15) / 16, (Bands + 15) / 16);
  addProductsAlongBands<<<Grid, Block>>>(Data, Products, Bands, Pixels, Pitch);
}

template void addProductsV0(const uint8_t *, int64_t *, int, int, int);
template void addProductsV0(const int16_t *, int64_t *, int, int, int);

} // namespace mnf
