//===- Fused.h - Steps S1 and S2 in one pass --------------------*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_FUSED_FUSED_H
#define WARPWISE_MNF_CASE_STUDY_GPU_FUSED_FUSED_H

#include <cstddef>
#include <cstdint>

namespace mnf {

/// Memory on the device that addNoiseProducts() needs.
size_t noiseScratchBytes(int Samples, int Lines);

/// Adds the products of the noise (sample - median of the 3x3 window) of each
/// pair of bands, and the noise of each band, to exact whole numbers. The noise
/// is never in memory. No more than MostBands; lines of 16 samples or more.
void addNoiseProducts(const uint8_t *Image, int64_t *Products, int64_t *OfBands,
                      int Samples, int Lines, int Bands, int Pitch,
                      void *Scratch);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_FUSED_FUSED_H
