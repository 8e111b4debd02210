//===- Inverse.cpp - mnf inverse ------------------------------------------===//

#include "mnf_case_study/app/Inverse.h"

#include "mnf_case_study/app/Commands.h"
#include "mnf_case_study/image/ImageWriter.h"
#include "profiler/io/ReadFile.h"

#include <fmt/format.h>

namespace mnf {

using Eigen::Index;

Expected<Rotated> openRotated(const std::string &Path) {
  auto Components = EnviImage::open(Path);
  if (!Components)
    return Failure{Components.reason()};
  const std::string JsonFile = Components->file() + ".json";
  auto Text = warpwise::io::readFile(JsonFile);
  if (!Text)
    return Failure{
        fmt::format("cannot read '{}': {}", JsonFile, Text.reason())};
  auto By = fromJson(*Text);
  if (!By)
    return Failure{fmt::format("'{}': {}", JsonFile, By.reason())};
  if (Components->header().Type != SampleType::Float32)
    return Failure{fmt::format("'{}' has no components of a rotation: they are "
                               "float32",
                               Components->file())};
  if (Components->shape().Bands > size_t(By->Means.size()))
    return Failure{fmt::format("'{}' has {} components where '{}' knows {}",
                               Components->file(), Components->shape().Bands,
                               JsonFile, By->Means.size())};
  return Rotated{std::move(*Components), std::move(*By)};
}

Denoiser::Denoiser(const Rotated &From, size_t Keep) : From(From) {
  const Eigen::MatrixXd First = From.By.inverse().leftCols(Index(Keep));
  Back = First.cast<float>();
  Origin = (From.By.Means -
            First * (From.By.Transformation.leftCols(Index(Keep)).transpose() *
                     From.By.Means))
               .cast<float>();
  Components.resize(From.Components.shape().Bands *
                    From.Components.shape().Samples);
}

void Denoiser::line(size_t Line, std::vector<float> &Planes) {
  using Rows =
      Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index Samples = Index(From.Components.shape().Samples);
  From.Components.readLines(Line, 1, Components.data());
  Planes.resize(size_t(Back.rows() * Samples));
  Eigen::Map<Rows>(Planes.data(), Back.rows(), Samples) =
      (Back * Eigen::Map<const Rows>(Components.data(), Back.cols(), Samples))
          .colwise() +
      Origin;
}

std::string inverse(const InverseOptions &Options) {
  auto From = openRotated(Options.Input);
  if (!From)
    return From.reason();
  const Shape There = From->Components.shape();
  const size_t Keep = Options.Keep == 0 ? There.Bands : Options.Keep;
  if (Keep > There.Bands)
    return fmt::format("'{}' has {} components, {} cannot be kept",
                       From->Components.file(), There.Bands, Keep);

  EnviHeader Header;
  Header.Size = {size_t(From->By.Means.size()), There.Lines, There.Samples};
  Header.Type = SampleType::Float32;
  Header.Description =
      fmt::format("{} MNF components of {} turned back", Keep, Options.Input);
  auto To = ImageWriter::create(Options.Output, Header);
  if (!To)
    return To.reason();
  Denoiser Turn(*From, Keep);
  std::vector<float> Planes;
  for (size_t Line = 0; Line < There.Lines; ++Line) {
    Turn.line(Line, Planes);
    for (size_t Band = 0; Band < Header.Size.Bands; ++Band)
      if (std::string Why = To->write(
              &Planes[Band * There.Samples], There.Samples * sizeof(float),
              (Band * There.Lines + Line) * There.Samples * sizeof(float));
          !Why.empty())
        return Why;
  }
  return To->finish();
}

} // namespace mnf
