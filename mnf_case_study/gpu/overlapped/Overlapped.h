//===- Overlapped.h - Steps S1, S2 and S4 at the same time ------*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_OVERLAPPED_OVERLAPPED_H
#define WARPWISE_MNF_CASE_STUDY_GPU_OVERLAPPED_OVERLAPPED_H

#include "../noise_filter/NoiseFilter.h"

#include <cstddef>
#include <cstdint>

namespace mnf {

/// What covariances are added to: Bands x Bands products, and Bands sums.
struct SumsOfBands {
  int64_t *Products, *OfBands;
};

/// Memory on the device for the list of chunks and for partial sums.
size_t overlappedListBytes(int Samples, int Lines);
size_t overlappedScratchBytes(int Samples, int Lines);

/// Adds the exact products of the noise (sample - median of the 3x3 window) of
/// each pair of bands and, if asked for, of the image. Noise is memory for
/// noisePixels() a band, NoisePitch apart; both pitches are multiples of 16. No
/// more than MostBands; lines of 16 samples or more.
void addOverlapped(const uint8_t *Image, int8_t *Noise, WideChunks *Wide,
                   const SumsOfBands &OfNoise, const SumsOfBands *OfImage,
                   int Samples, int Lines, int Bands, int Pitch, int NoisePitch,
                   void *Scratch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_OVERLAPPED_OVERLAPPED_H
