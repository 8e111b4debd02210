//===- NoiseFilter.h - Step S1, version by version --------------*- C++ -*-===//
//
// Noise = sample - median of its 3x3 window. Image and Noise point to the first
// line of the first band; bands lie Pitch samples apart. All versions have the
// same result bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_NOISEFILTER_H
#define WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_NOISEFILTER_H

#include <cstddef>
#include <cstdint>

namespace mnf {

/// The window is sorted in a private array.
void filterNoiseV0(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch);
/// The window is in registers.
void filterNoiseV1(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch);
/// The mean instead of the median, as the paper has it. Another result.
void filterNoiseV1Mean(const uint8_t *Image, int16_t *Noise, int Samples,
                       int Lines, int Bands, int Pitch);
/// Lines come through shared memory.
void filterNoiseV2(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch);
/// A thread walks down a column and keeps what the next window shares.
void filterNoiseV3(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch);
/// Eight samples a thread, two in a register, without shared memory.
void filterNoiseV4(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                   int Bands, int Pitch);

/// Sixteen samples a thread, as signed bytes, in an order of its own:
/// noisePixels() of each band, some of which are zeros beyond the image. \p
/// Wide is memory on the device that lists where a byte is not enough. Lines of
/// 16 samples or more.
struct WideChunks;
size_t wideBytes(int Samples, int Lines);
int noisePixels(int Samples, int Lines);
void filterNoiseV5(const uint8_t *Image, int8_t *Noise, WideChunks *Wide,
                   int Samples, int Lines, int Bands, int Pitch,
                   int NoisePitch);
/// Adds to sums of products of those bytes what they lack.
void correctProducts(const uint8_t *Image, const WideChunks *Wide,
                     int64_t *Products, int64_t *OfBands, int Samples,
                     int Lines, int Bands, int Pitch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_NOISEFILTER_H
