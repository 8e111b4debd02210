//===- Inverse.h - Pixels back from their components ------------*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_APP_INVERSE_H
#define WARPWISE_MNF_CASE_STUDY_APP_INVERSE_H

#include "mnf_case_study/image/EnviImage.h"
#include "mnf_case_study/serial/Rotation.h"

#include <vector>

namespace mnf {

/// What rotate wrote: the components and how they came about.
struct Rotated {
  EnviImage Components;
  Rotation By;
};
Expected<Rotated> openRotated(const std::string &Path);

/// Gives pixels back from their first components: what the others would add is
/// mostly noise, and their mean stands in for them.
class Denoiser {
public:
  /// \p Keep is at most the number of components that are there.
  Denoiser(const Rotated &From, size_t Keep);

  /// One line as Bands planes.
  void line(size_t Line, std::vector<float> &Planes);

private:
  const Rotated &From;
  Eigen::MatrixXf Back;   ///< Bands x Keep
  Eigen::VectorXf Origin; ///< What a pixel has whose components are zero.
  std::vector<float> Components;
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_APP_INVERSE_H
