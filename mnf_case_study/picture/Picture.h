//===- Picture.h - Pixels for people to look at -----------------*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_PICTURE_PICTURE_H
#define WARPWISE_MNF_CASE_STUDY_PICTURE_PICTURE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mnf {

/// Three bytes a pixel, the first line on top.
struct Picture {
  size_t Width, Height;
  std::vector<uint8_t> Rgb;

  Picture(size_t Width, size_t Height, uint8_t Grey = 255)
      : Width(Width), Height(Height), Rgb(3 * Width * Height, Grey) {}
  uint8_t *at(size_t X, size_t Y) { return &Rgb[3 * (Y * Width + X)]; }

  /// As a PNG; empty, or the reason of the failure.
  std::string write(const std::string &Path) const;
};

/// Turns samples to grey levels: the darkest and the brightest two per cent
/// become black and white, so that an outlier does not eat the contrast.
struct Stretch {
  float Black, White;

  explicit Stretch(std::vector<float> Samples);
  uint8_t operator()(float Sample) const;
};

/// Positive values from large to small on a logarithmic scale, with a line at
/// one: components below it are noise.
Picture drawEigenvalues(const std::vector<double> &Values);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_PICTURE_PICTURE_H
