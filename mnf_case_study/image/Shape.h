//===- Shape.h - The size of a hyperspectral image --------------*- C++ -*-===//
//
// Everything but the files of ENVI holds an image as planes: one band after the
// other, a band is Lines rows of Samples pixels (ENVI's words). Includes
// nothing that device code could not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_IMAGE_SHAPE_H
#define WARPWISE_MNF_CASE_STUDY_IMAGE_SHAPE_H

#include <cstddef>

namespace mnf {

struct Shape {
  size_t Bands = 0;
  size_t Lines = 0;
  size_t Samples = 0;

  constexpr size_t pixels() const { return Lines * Samples; }
  constexpr size_t size() const { return Bands * pixels(); }
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_IMAGE_SHAPE_H
