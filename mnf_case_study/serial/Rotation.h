//===- Rotation.h - The MNF rotation of an image ----------------*- C++ -*-===//
//
// Steps S3 and S5 to S7: the eigenvalue problems, between the covariances and
// the transformation. They are small (bands x bands) and done by Eigen, which
// is headers alone and needs no BLAS, so the program has one dependency less
// than with LAPACKE.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_SERIAL_ROTATION_H
#define WARPWISE_MNF_CASE_STUDY_SERIAL_ROTATION_H

#include "mnf_case_study/serial/Sums.h"
#include "profiler/io/Expected.h"

#include <string>
#include <string_view>

namespace mnf {

using warpwise::io::Expected;
using warpwise::io::Failure;

struct Rotation {
  /// Of the bands.
  Eigen::VectorXd Means;
  /// Variance of a component where the noise has variance 1; falling.
  Eigen::VectorXd Eigenvalues;
  /// T, bands x bands: component k of a pixel is column k times the pixel. The
  /// largest entry of a column is positive.
  Eigen::MatrixXd Transformation;

  /// Bands x bands: gives a pixel back from all its components.
  Eigen::MatrixXd inverse() const;
};

/// Fails where the noise's covariance is singular and names the band, if it is
/// one, that has none.
Expected<Rotation> solve(const Statistics &Noise, const Statistics &Image);

/// What every solver of the eigenvalue problems has to say and to do at its
/// begin and end: empty, or which band has no noise,
std::string whyNoNoise(const Statistics &Noise);
/// whether the smallest of some rising eigenvalues is zero but for rounding,
bool isSingular(const Eigen::VectorXd &Rising);
inline constexpr char NoiseIsSingular[] =
    "the covariance of the noise is singular: the noise of some bands is that "
    "of others";
inline constexpr char ImageDoesNotConverge[] =
    "the eigenvalues of the image do not converge";
/// and the order and the signs of a rotation's columns.
Rotation rotationOf(const Eigen::VectorXd &Means, const Eigen::VectorXd &Rising,
                    const Eigen::MatrixXd &Columns);

/// Step S8 for \p Pixels of each band: \p Weights is Bands x Components, row by
/// row; \p Planes and \p Components are planes with their own pitches.
template <typename Sample>
void transform(const Sample *Planes, size_t Pitch, size_t Pixels, size_t Bands,
               const float *Weights, size_t Components, float *Result,
               size_t ResultPitch);

std::string toJson(const Rotation &R, std::string_view NoiseEstimate);
/// The reason of a failure does not name the file.
Expected<Rotation> fromJson(const std::string &Text);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_SERIAL_ROTATION_H
