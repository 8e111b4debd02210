//===- V4.cu - Eight samples a thread, two in a register ------------------===//
//
// Beyond the paper. V3 is bound by instructions: bytes one by one through
// shared memory, a comparison for each. Words from L1, which serves the lines
// above and below, and comparisons of pairs need a quarter of them.
//
//===----------------------------------------------------------------------===//

#include "NoiseFilter.h"
#include "PackedMedian.cuh"

namespace mnf {

constexpr int Threads = 256;

__global__ void filterNoisePacked(const uint8_t *Image, int16_t *Noise,
                                  int Samples, int Pixels, int Pitch) {
  int Pixel = (blockIdx.x * Threads + threadIdx.x) * PixelsOfThread;
  if (Pixel >= Pixels)
    return;
  size_t Here = size_t(blockIdx.y) * Pitch + Pixel;
  int Column = Pixel % Samples;
  const uint8_t *At = Image + Here;
  Window From = loadWindow(At, Samples);
  uint32_t Sample[4], Median[4];
  if (__any_sync(__activemask(), touchesEdge(Column, Samples)))
    mediansOfEight<true>(From, At, Samples, Column, Sample, Median);
  else
    mediansOfEight<false>(From, At, Samples, Column, Sample, Median);
  // The margin behind a band takes what lies beyond its last pixel.
  *reinterpret_cast<uint4 *>(Noise + Here) =
      make_uint4(__vsub2(Sample[0], Median[0]), __vsub2(Sample[1], Median[1]),
                 __vsub2(Sample[2], Median[2]), __vsub2(Sample[3], Median[3]));
}

void filterNoiseV4(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch) {
  int Pixels = Samples * Lines;
  dim3 Grid((Pixels + Threads * PixelsOfThread - 1) /
                (Threads * PixelsOfThread),
            Bands);
  filterNoisePacked<<<Grid, Threads>>>(Image, Noise, Samples, Pixels, Pitch);
}

} // namespace mnf
