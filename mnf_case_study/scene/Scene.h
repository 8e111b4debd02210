//===- Scene.h - Scenes like AVIRIS takes them ------------------*- C++ -*-===//
//
// A few materials with smooth spectra and absorption bands, mixed over smooth
// regions, and Gaussian noise whose deviation is known band by band. Every
// sample depends on the seed and its place alone, so bands can be made in any
// order and by any number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_SCENE_SCENE_H
#define WARPWISE_MNF_CASE_STUDY_SCENE_SCENE_H

#include "mnf_case_study/image/Shape.h"

#include <cstdint>

namespace mnf {

struct Scene {
  Shape Size;
  /// The largest sample is about this, with room for the noise.
  double Brightest = 255;
  /// The mean deviation of the noise, in parts of Brightest.
  double Noise = 0.01;
  uint64_t Seed = 1;

  /// The noise's standard deviation in one band, before it is rounded to whole
  /// numbers.
  double deviation(size_t Band) const;

  /// One band as a plane of \p Sample: uint8_t, uint16_t, int16_t or float.
  template <typename Sample> void fill(size_t Band, Sample *Plane) const;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_SCENE_SCENE_H
