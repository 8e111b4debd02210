//===- Picture.cpp --------------------------------------------------------===//

#include "mnf_case_study/picture/Picture.h"

#include "profiler/io/WriteFile.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>

namespace mnf {

std::string Picture::write(const std::string &Path) const {
  png_image Image = {};
  Image.version = PNG_IMAGE_VERSION;
  Image.width = png_uint_32(Width);
  Image.height = png_uint_32(Height);
  Image.format = PNG_FORMAT_RGB;
  png_alloc_size_t Bytes = PNG_IMAGE_PNG_SIZE_MAX(Image);
  std::string Png(Bytes, '\0');
  if (!png_image_write_to_memory(&Image, Png.data(), &Bytes, 0, Rgb.data(), 0,
                                 nullptr))
    return fmt::format("cannot draw '{}': {}", Path, Image.message);
  Png.resize(Bytes);
  if (std::string Why = warpwise::io::writeFile(Path, Png); !Why.empty())
    return fmt::format("cannot write '{}': {}", Path, Why);
  return "";
}

Stretch::Stretch(std::vector<float> Samples) {
  const auto Part = [&](double Share) {
    auto It = Samples.begin() + ptrdiff_t(Share * double(Samples.size() - 1));
    std::nth_element(Samples.begin(), It, Samples.end());
    return *It;
  };
  Black = Part(0.02);
  White = Part(0.98);
}

uint8_t Stretch::operator()(float Sample) const {
  if (!(White > Black))
    return 128;
  return uint8_t(std::lround(
      255 * std::clamp((Sample - Black) / (White - Black), 0.f, 1.f)));
}

Picture drawEigenvalues(const std::vector<double> &Values) {
  constexpr size_t Width = 640, Height = 360, Margin = 20;
  Picture Plot(Width, Height);
  const auto Log = [](double Value) {
    return std::log10(std::max(Value, 1e-3));
  };
  const double Top = std::ceil(Log(Values.front()) + 1e-9);
  const double Bottom = std::min(0.0, std::floor(Log(Values.back())));
  const auto YOf = [&](double Logarithm) {
    const double Share = (Top - Logarithm) / std::max(1.0, Top - Bottom);
    return Margin + size_t(Share * (Height - 2 * Margin - 1));
  };
  const auto Row = [&](size_t Y, uint8_t Grey) {
    for (size_t X = Margin; X < Width - Margin; ++X)
      std::fill_n(Plot.at(X, Y), 3, Grey);
  };
  for (double Decade = Bottom; Decade <= Top; ++Decade)
    Row(YOf(Decade), Decade == 0 ? 96 : 220);

  size_t Before = YOf(Log(Values.front()));
  for (size_t X = Margin; X < Width - Margin; ++X) {
    const size_t K = (X - Margin) * Values.size() / (Width - 2 * Margin);
    const size_t Y = YOf(Log(Values[K]));
    for (size_t At = std::min(Y, Before); At <= std::max(Y, Before) + 1; ++At) {
      uint8_t *Pixel = Plot.at(X, At);
      Pixel[0] = 31, Pixel[1] = 119, Pixel[2] = 180;
    }
    Before = Y;
  }
  return Plot;
}

} // namespace mnf
