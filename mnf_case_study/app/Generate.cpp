//===- Generate.cpp - mnf generate ----------------------------------------===//

#include "mnf_case_study/app/Commands.h"

#include "mnf_case_study/image/EnviImage.h"
#include "mnf_case_study/image/ImageWriter.h"
#include "mnf_case_study/scene/Scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace mnf {
namespace {

/// Writes one plane where the layout has it. A line of BIP is made of pieces of
/// all bands, so it is written when all are there: then \p Lines are whole.
template <typename Sample>
std::string writePlanes(const Scene &From, Interleave Layout, ImageWriter &To,
                        bool Swap) {
  const auto [Bands, Lines, Samples] = From.Size;
  const auto InOrder = [&](Sample *First, size_t Count) {
    if (Swap)
      for (size_t I = 0; I < Count; ++I) {
        auto *Bytes = reinterpret_cast<unsigned char *>(First + I);
        std::reverse(Bytes, Bytes + sizeof(Sample));
      }
  };
  if (Layout == Interleave::Bsq) {
    std::vector<Sample> Plane(Lines * Samples);
    for (size_t Band = 0; Band < Bands; ++Band) {
      From.fill(Band, Plane.data());
      InOrder(Plane.data(), Plane.size());
      const size_t Bytes = Plane.size() * sizeof(Sample);
      if (std::string Why = To.write(Plane.data(), Bytes, Band * Bytes);
          !Why.empty())
        return Why;
    }
    return "";
  }
  std::vector<Sample> Image(From.Size.size()), Plane(Lines * Samples);
  for (size_t Band = 0; Band < Bands; ++Band) {
    From.fill(Band, Plane.data());
    InOrder(Plane.data(), Plane.size());
    for (size_t Line = 0; Line < Lines; ++Line)
      for (size_t Column = 0; Column < Samples; ++Column)
        Image[Layout == Interleave::Bil
                  ? (Line * Bands + Band) * Samples + Column
                  : (Line * Samples + Column) * Bands + Band] =
            Plane[Line * Samples + Column];
  }
  return To.write(Image.data(), Image.size() * sizeof(Sample), 0);
}

} // namespace

std::string generate(const GenerateOptions &Options) {
  Scene From;
  From.Size = Options.Size;
  From.Noise = Options.Noise;
  From.Seed = Options.Seed;
  // 16-bit scenes use the 14 bits that a detector has.
  From.Brightest = Options.Type == SampleType::UInt8 ? 255 : 10000;

  EnviHeader Header;
  Header.Size = Options.Size;
  Header.Type = Options.Type;
  Header.Layout = Options.Layout;
  Header.BigEndian = Options.BigEndian;
  Header.Description = fmt::format("synthetic scene, seed {}, noise {} of {}",
                                   Options.Seed, Options.Noise, From.Brightest);
  for (size_t Band = 0; Band < Options.Size.Bands; ++Band)
    Header.BandNames.push_back(
        fmt::format("band {} noise {:.4g}", Band + 1, From.deviation(Band)));

  auto To = ImageWriter::create(Options.Output, Header);
  if (!To)
    return To.reason();
  std::string Why = visitSamples(Options.Type, [&](auto Sample) {
    return writePlanes<decltype(Sample)>(From, Options.Layout, *To,
                                         Options.BigEndian);
  });
  return Why.empty() ? To->finish() : Why;
}

} // namespace mnf
