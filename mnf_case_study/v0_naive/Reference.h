//===- Reference.h - The same results on the CPU ----------------*- C++ -*-===//
//
// A synthetic image and one function per kernel that computes one element of
// its result in double precision, written apart from the kernels on purpose.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_V0_NAIVE_REFERENCE_H
#define WARPWISE_MNF_CASE_STUDY_V0_NAIVE_REFERENCE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace mnf {

/// Mixes a few smooth spectra over smooth regions and adds noise, so that the
/// bands correlate as those of a real scene do.
inline std::vector<unsigned char> makeImage(int Width, int Height, int Bands) {
  std::vector<unsigned char> Image(std::size_t(Width) * Height * Bands);
  std::uint32_t Seed = 1;
  std::size_t At = 0;
  for (int Band = 0; Band < Bands; ++Band) {
    float First = 60 + 50 * std::sin(Band * 0.05f);
    float Second = 60 + 50 * std::cos(Band * 0.03f);
    for (int Y = 0; Y < Height; ++Y) {
      float Share = 0.5f + 0.5f * std::sin(Y * 0.02f);
      for (int X = 0; X < Width; ++X, ++At) {
        Seed = Seed * 1664525u + 1013904223u;
        float Slope = float(X) / Width;
        Image[At] = Share * First + (1 - Share) * Second * Slope +
                    float(Seed >> 28) + 40;
      }
    }
  }
  return Image;
}

template <typename Sample>
std::vector<float> meansOfBands(const std::vector<Sample> &Data, int Pixels,
                                int Bands) {
  std::vector<float> Means(Bands);
  for (int Band = 0; Band < Bands; ++Band) {
    auto First = Data.begin() + std::ptrdiff_t(Band) * Pixels;
    Means[Band] = std::accumulate(First, First + Pixels, 0.0) / Pixels;
  }
  return Means;
}

/// One sample of step S1. \p Plane is one band.
inline int expectedNoise(const unsigned char *Plane, int Width, int Height,
                         int Row, int Column) {
  std::array<unsigned char, 9> Window;
  for (int I = 0; I < 9; ++I) {
    int Y = std::clamp(Row + I / 3 - 1, 0, Height - 1);
    int X = std::clamp(Column + I % 3 - 1, 0, Width - 1);
    Window[I] = Plane[Y * Width + X];
  }
  std::nth_element(Window.begin(), Window.begin() + 4, Window.end());
  return Plane[Row * Width + Column] - Window[4];
}

/// One element of steps S2 and S4.
template <typename Sample>
double expectedCovariance(const std::vector<Sample> &Data,
                          const std::vector<float> &Means, int Pixels, int Row,
                          int Column) {
  const Sample *Left = Data.data() + std::ptrdiff_t(Row) * Pixels;
  const Sample *Right = Data.data() + std::ptrdiff_t(Column) * Pixels;
  double Sum = 0;
  for (int Pixel = 0; Pixel < Pixels; ++Pixel)
    Sum += (Left[Pixel] - double(Means[Row])) *
           (Right[Pixel] - double(Means[Column]));
  return Sum / (Pixels - 1);
}

/// One element of step S8.
inline double expectedComponent(const std::vector<unsigned char> &Image,
                                const std::vector<float> &Weights, int Pixels,
                                int Bands, int Components, int Component,
                                int Pixel) {
  double Sum = 0;
  for (int Band = 0; Band < Bands; ++Band)
    Sum += double(Weights[Band * Components + Component]) *
           Image[std::size_t(Band) * Pixels + Pixel];
  return Sum;
}

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_V0_NAIVE_REFERENCE_H
