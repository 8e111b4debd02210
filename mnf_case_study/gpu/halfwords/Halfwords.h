//===- Halfwords.h - Samples of 16 bits -------------------------*- C++ -*-===//
//
// Tensor cores multiply bytes, so 16 bits are split: x = 256 * high + low, and
// a product is four products of bytes. Samples are unsigned here; signed ones
// are held 32,768 larger, and so is the noise, which has 17 bits: what that
// adds to the sums is taken off them in the end, exactly. Noise of 32,768 and
// more loses a bit; the pixels with such noise are listed, and corrected.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_HALFWORDS_HALFWORDS_H
#define WARPWISE_MNF_CASE_STUDY_GPU_HALFWORDS_HALFWORDS_H

#include <cstddef>
#include <cstdint>

namespace mnf {

/// What signed samples and all noise are held larger by.
constexpr int HalfwordOffset = 32768;

/// High and low bytes; bands of both lie BytesPitch bytes apart.
struct SplitPlanes {
  uint8_t *High, *Low;
  int BytesPitch;
};

void splitSamples(const uint16_t *Image, const SplitPlanes &To, int Bands,
                  int Pixels, int Pitch);
/// The noise by the median. \p Wide is memory on the device for the list.
size_t wideHalfwordBytes(int Pixels);
void splitNoise(const uint16_t *Image, const SplitPlanes &To, int *Wide,
                int Samples, int Lines, int Bands, int Pitch);
/// Adds the products and sums of what was split, by V7 of the covariance. No
/// more than MostBands.
size_t halfwordScratchBytes(int Pixels);
void addSplitProducts(const SplitPlanes &Of, int64_t *Products,
                      int64_t *OfBands, int Bands, int Pixels, void *Scratch);
/// Adds what the sums of split noise lack.
void correctSplitNoise(const uint16_t *Image, const int *Wide,
                       int64_t *Products, int64_t *OfBands, int Samples,
                       int Lines, int Bands, int Pitch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_HALFWORDS_HALFWORDS_H
