//===- Doubles.h - All types, all estimates, any number of bands *- C++ -*-===//
//
// The steps for images that the ladder's versions do not take. Noise is a
// float, which holds differences of samples of 8 and 16 bits without loss, and
// products are added in doubles, on tensor cores: exactly for whole numbers,
// whose sums are cut to where a double still holds them, and as the serial
// version does for floats. Integers are unsigned here; signed samples are held
// larger, as on the device everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_DOUBLES_DOUBLES_H
#define WARPWISE_MNF_CASE_STUDY_GPU_DOUBLES_DOUBLES_H

#include <cstddef>
#include <cstdint>

namespace mnf::doubles {

/// The most that the grids below count.
constexpr int MostBands = 65535;

/// What noise is the difference to.
enum class Signal { Mean, Median, Neighbour };

/// S1. A sample is uint8_t, uint16_t or float, and held \p Less larger, if it
/// is an integer. Bands of the noise lie \p NoisePitch apart, a multiple of 4.
template <typename Sample>
void estimateNoise(const Sample *Image, float *Noise, Signal To, int Samples,
                   int Lines, int Bands, int Pitch, int NoisePitch, int Less);

/// S2 and S4: adds the sums of the samples less their band's pivot and of the
/// products of those. \p Sum is int64_t, for whole numbers below 2^16 in size
/// and pivots of zero, or double, with the same result every time.
size_t scratchBytes(int Bands, int Pixels);
template <typename Sample, typename Sum>
void addProducts(const Sample *Data, const float *Pivots, Sum *Products,
                 Sum *OfBands, int Bands, int Pixels, int Pitch, void *Scratch);

/// S8 of samples that are held \p Less larger, as transformation/V3 does it.
template <typename Sample>
void transform(const Sample *Image, const float *Weights, float *Result,
               int Bands, int Components, int Pixels, int Pitch,
               int ResultPitch, int Less);

} // namespace mnf::doubles

#endif // WARPWISE_MNF_CASE_STUDY_GPU_DOUBLES_DOUBLES_H
