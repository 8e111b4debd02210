//===- Quicklook.cpp - mnf quicklook --------------------------------------===//

#include "mnf_case_study/app/Commands.h"
#include "mnf_case_study/app/Inverse.h"
#include "mnf_case_study/picture/Picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace mnf {
namespace {

/// Three planes of floats, of which the stretches of the first picture serve
/// the second, too: else the two could not be compared.
using Colours = std::array<std::vector<float>, 3>;

Picture draw(const Colours &From, const Shape &Size,
             const std::array<Stretch, 3> &By) {
  Picture Result(Size.Samples, Size.Lines);
  for (size_t I = 0; I < Size.pixels(); ++I)
    for (size_t C = 0; C < 3; ++C)
      Result.Rgb[3 * I + C] = By[C](From[C][I]);
  return Result;
}

Colours coloursOf(const EnviImage &Image, const std::array<size_t, 3> &Bands) {
  Colours Result;
  const auto [All, Lines, Samples] = Image.shape();
  visitSamples(Image.header().Type, [&](auto Sample) {
    std::vector<decltype(Sample)> Line(All * Samples);
    for (size_t L = 0; L < Lines; ++L) {
      Image.readLines(L, 1, Line.data());
      for (size_t C = 0; C < 3; ++C) {
        auto First = Line.begin() + ptrdiff_t((Bands[C] - 1) * Samples);
        Result[C].insert(Result[C].end(), First, First + ptrdiff_t(Samples));
      }
    }
  });
  return Result;
}

Colours coloursAfter(const Rotated &From, size_t Keep,
                     const std::array<size_t, 3> &Bands) {
  Colours Result;
  const auto [Components, Lines, Samples] = From.Components.shape();
  Denoiser Turn(From, Keep);
  std::vector<float> Line;
  for (size_t L = 0; L < Lines; ++L) {
    Turn.line(L, Line);
    for (size_t C = 0; C < 3; ++C) {
      auto First = Line.begin() + ptrdiff_t((Bands[C] - 1) * Samples);
      Result[C].insert(Result[C].end(), First, First + ptrdiff_t(Samples));
    }
  }
  return Result;
}

Picture drawComponent(const EnviImage &Components, size_t Which) {
  const auto [All, Lines, Samples] = Components.shape();
  std::vector<float> Line(All * Samples), Plane;
  for (size_t L = 0; L < Lines; ++L) {
    Components.readLines(L, 1, Line.data());
    auto First = Line.begin() + ptrdiff_t(Which * Samples);
    Plane.insert(Plane.end(), First, First + ptrdiff_t(Samples));
  }
  const Stretch By(Plane);
  Picture Result(Samples, Lines);
  for (size_t I = 0; I < Plane.size(); ++I)
    std::fill_n(&Result.Rgb[3 * I], 3, By(Plane[I]));
  return Result;
}

} // namespace

std::string quicklook(const QuicklookOptions &Options) {
  auto Image = EnviImage::open(Options.Image);
  if (!Image)
    return Image.reason();
  auto From = openRotated(Options.Rotated);
  if (!From)
    return From.reason();
  const Shape Size = Image->shape(), There = From->Components.shape();
  if (Size.Lines != There.Lines || Size.Samples != There.Samples ||
      Size.Bands != size_t(From->By.Means.size()))
    return fmt::format("'{}' is no rotation of '{}': their sizes differ",
                       From->Components.file(), Image->file());
  const size_t Keep =
      Options.Keep == 0 ? std::min<size_t>(10, There.Bands) : Options.Keep;
  if (Keep > There.Bands || Options.Components > There.Bands)
    return fmt::format("'{}' has {} components, not {}",
                       From->Components.file(), There.Bands,
                       std::max(Keep, Options.Components));
  std::array<size_t, 3> Bands = Options.Bands;
  if (Bands[0] == 0) // AVIRIS: 10 nm a band, from 400 nm on.
    Bands = {1 + 25 * Size.Bands / 224, 1 + 15 * Size.Bands / 224,
             1 + 5 * Size.Bands / 224};
  for (size_t Band : Bands)
    if (Band == 0 || Band > Size.Bands)
      return fmt::format("'{}' has no band {}", Image->file(), Band);

  std::error_code Error;
  std::filesystem::create_directories(Options.Folder, Error);
  if (Error)
    return fmt::format("cannot make the folder '{}': {}", Options.Folder,
                       Error.message());
  const auto Write = [&](const Picture &P, const std::string &Name) {
    return P.write(Options.Folder + "/" + Name);
  };

  const Colours Before = coloursOf(*Image, Bands);
  const std::array<Stretch, 3> By = {Stretch(Before[0]), Stretch(Before[1]),
                                     Stretch(Before[2])};
  std::string Why = Write(draw(Before, Size, By), "before.png");
  if (Why.empty())
    Why = Write(draw(coloursAfter(*From, Keep, Bands), Size, By), "after.png");
  const Eigen::VectorXd &Values = From->By.Eigenvalues;
  if (Why.empty())
    Why = Write(drawEigenvalues({Values.begin(), Values.end()}),
                "eigenvalues.png");
  for (size_t K = 0; K < Options.Components && Why.empty(); ++K)
    Why = Write(drawComponent(From->Components, K),
                fmt::format("component-{}.png", K + 1));
  return Why;
}

} // namespace mnf
