//===- Noise.h - What of an image is noise ----------------------*- C++ -*-===//
//
// Step S1. All estimates of whole numbers are whole numbers, so every version
// of this step, on every machine, has the same result bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_SERIAL_NOISE_H
#define WARPWISE_MNF_CASE_STUDY_SERIAL_NOISE_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mnf {

/// The sample less the mean or the median of the 3x3 window about it, or less
/// its right neighbour. A mean of whole numbers is cut to one. The window at
/// the edge repeats the edge; the last sample of a line is taken less its left
/// neighbour.
enum class NoiseEstimate { Mean, Median, Shift };

/// What holds every difference of two samples. Members of a class: nvcc's and
/// Clang's compilers, which are linked together, give functions of aliases made
/// of conditions different names.
template <typename Sample> struct DifferenceOf {
  using Type = std::conditional_t<
      std::is_floating_point_v<Sample>, float,
      std::conditional_t<sizeof(Sample) == 1, int16_t, int32_t>>;
};
template <typename Sample> using NoiseOf = typename DifferenceOf<Sample>::Type;

/// The noise of lines [First, First + Count) of a plane. The other lines of the
/// plane are there for the windows.
template <typename Sample>
void estimateNoise(const Sample *Plane, size_t Lines, size_t Samples,
                   size_t First, size_t Count, NoiseEstimate Estimate,
                   NoiseOf<Sample> *Noise);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_SERIAL_NOISE_H
