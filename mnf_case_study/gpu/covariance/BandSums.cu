//===- BandSums.cu --------------------------------------------------------===//

#include "BandSums.h"

namespace mnf {

constexpr int Threads = 256;
/// Few enough that 16,384 / 256 samples of 16 bits stay below 2^31.
constexpr int PixelsOfBlock = 16384;

template <typename Sample>
__global__ void addSamples(const Sample *Data, int64_t *OfBands, int Pixels,
                           int Pitch) {
  const Sample *Band = Data + size_t(blockIdx.y) * Pitch;
  int First = blockIdx.x * PixelsOfBlock;
  int Last = min(First + PixelsOfBlock, Pixels);
  int Sum = 0;
  for (int Pixel = First + threadIdx.x; Pixel < Last; Pixel += Threads)
    Sum += Band[Pixel];
  int64_t OfWarp = Sum;
  for (int Lanes = 16; Lanes > 0; Lanes /= 2)
    OfWarp += __shfl_down_sync(~0u, OfWarp, Lanes);
  if (threadIdx.x % 32 == 0)
    atomicAdd(reinterpret_cast<unsigned long long *>(&OfBands[blockIdx.y]),
              static_cast<unsigned long long>(OfWarp));
}

template <typename Sample>
void addBandSums(const Sample *Data, int64_t *OfBands, int Bands, int Pixels,
                 int Pitch) {
  dim3 Grid((Pixels + PixelsOfBlock - 1) / PixelsOfBlock, Bands);
  addSamples<<<Grid, Threads>>>(Data, OfBands, Pixels, Pitch);
}

template void addBandSums(const uint8_t *, int64_t *, int, int, int);
template void addBandSums(const int16_t *, int64_t *, int, int, int);

} // namespace mnf
