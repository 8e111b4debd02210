//===- LadderRoute.cpp - The ladder's versions as whole routes ------------===//

#include "mnf_case_study/device/Route.h"
#include "mnf_case_study/gpu/DeviceImage.h"
#include "mnf_case_study/gpu/covariance/BandSums.h"
#include "mnf_case_study/gpu/covariance/Covariance.h"
#include "mnf_case_study/gpu/noise_filter/NoiseFilter.h"
#include "mnf_case_study/gpu/overlapped/Overlapped.h"
#include "mnf_case_study/gpu/transformation/Transformation.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <optional>

namespace mnf {
namespace {

using Filter = void(const uint8_t *, int16_t *, int, int, int, int);
using OfImage = void(const uint8_t *, int64_t *, int, int, int);
using OfNoise = void(const int16_t *, int64_t *, int, int, int);
using Transform = void(const uint8_t *, const float *, float *, int, int, int,
                       int, int);

/// The version of each step. A ladder is as long as its step allows, so the
/// shorter ones wait for the longer ones.
struct Rungs {
  /// Null: V5, which stores bytes, and V7 of the covariances.
  Filter *Noise;
  OfNoise *NoiseCovariance;
  /// Null: V6, which adds up the bands, too.
  OfImage *ImageCovariance;
  Transform *Transformation;
  /// What the versions ask of an image.
  size_t MostBands, MostComponents, LeastSamples;
  /// S1, S2 and S4 at the same time.
  bool Overlap = false;
};

constexpr size_t Any = ~size_t(0);

/// The paper's versions repeat the first and the last line of what they take
/// for an image, so they are given the lines above and below a strip, too.
template <Filter *Of>
void withMargins(const uint8_t *Image, int16_t *Noise, int Samples, int Lines,
                 int Bands, int Pitch) {
  Of(Image - Samples, Noise - Samples, Samples, Lines + 2, Bands, Pitch);
}

const std::array<Rungs, LastVersion + 1> Ladder = {{
    {withMargins<filterNoiseV0>, addProductsV0, addProductsV0, transformV0, Any,
     Any, 2},
    {withMargins<filterNoiseV1>, addProductsV1, addProductsV1, transformV1,
     MostBands, MostComponents, 2},
    {withMargins<filterNoiseV2>, addProductsV2, addProductsV2, transformV2,
     MostBands, MostComponents, 2},
    {withMargins<filterNoiseV3>, addProductsV3, addProductsV3, transformV2,
     MostBands, MostComponents, 2},
    {withMargins<filterNoiseV3>, addProductsV4, addProductsV4, transformV2,
     MostBands, MostComponents, 2},
    {filterNoiseV4, addProductsV4, addProductsV5, transformV3, MostBands, Any,
     16},
    {filterNoiseV4, addProductsV4, nullptr, transformV3, MostBands, Any, 16},
    {nullptr, nullptr, nullptr, transformV4, MostBands, Any, 16},
    {nullptr, nullptr, nullptr, transformV5, MostBands, Any, 16, true},
}};

class LadderRoute : public Route {
public:
  explicit LadderRoute(int Version)
      : Version(Version), By(Ladder[size_t(Version)]) {}

  std::string name() const override { return fmt::format("V{}", Version); }

  std::string whyNot(const EnviHeader &Image, NoiseEstimate Noise,
                     size_t Components) const override {
    if (Image.Type != SampleType::UInt8)
      return fmt::format("takes {} samples, not {}",
                         Version == HalfwordVersion ? "uint8, uint16 and int16"
                                                    : "uint8",
                         nameOf(Image.Type));
    if (Noise != NoiseEstimate::Median)
      return "estimates the noise by the median only";
    if (Image.Size.Bands > By.MostBands)
      return fmt::format("takes {} bands at most, not {}", By.MostBands,
                         Image.Size.Bands);
    if (Components > By.MostComponents)
      return fmt::format("writes {} components at most, not {}",
                         By.MostComponents, Components);
    if (Image.Size.Samples < By.LeastSamples)
      return fmt::format("takes lines of {} samples at least, not {}",
                         By.LeastSamples, Image.Size.Samples);
    return "";
  }

  size_t bytesToMeasure(const Shape &Strip) const override {
    return bytesOfNoise(Strip) + bytesOfScratch(Strip) + bytesOfList(Strip);
  }
  size_t bytesToTransform(const Shape &) const override { return 0; }

  void prepareToMeasure(const Shape &Strip) override {
    Noise.emplace(bytesOfNoise(Strip));
    if (By.Noise)
      return;
    Scratch.emplace(bytesOfScratch(Strip));
    Wide.emplace(bytesOfList(Strip));
  }
  void prepareToTransform(const Shape &) override {
    Noise.reset();
    Scratch.reset();
    Wide.reset();
  }

  void measure(const Strip &Of, SumsOnDevice OfNoise, SumsOnDevice OfImage,
               DeviceTimes &Spent) override {
    if (By.Overlap) {
      measureAtOnce(Of, OfNoise, OfImage, Spent);
      return;
    }
    if (By.Noise)
      measureNoise(Of, OfNoise, Spent);
    else
      measureBytes(Of, OfNoise, Spent);
    Spent.measure("S4 image covariance", [&] {
      if (!By.Noise) {
        addProductsV7(Of.bytes(), OfImage.OfProducts, OfImage.OfBands, Of.Bands,
                      Of.pixels(), Of.Pitch, *Scratch);
      } else if (!By.ImageCovariance) {
        addProductsV6(Of.bytes(), OfImage.OfProducts, OfImage.OfBands, Of.Bands,
                      Of.pixels(), Of.Pitch);
      } else {
        By.ImageCovariance(Of.bytes(), OfImage.OfProducts, Of.Bands,
                           Of.pixels(), Of.Pitch);
        addBandSums(Of.bytes(), OfImage.OfBands, Of.Bands, Of.pixels(),
                    Of.Pitch);
      }
    });
  }

  void transform(const Strip &Of, const float *Weights, int Components,
                 float *Result, int ResultPitch, int64_t,
                 DeviceTimes &Spent) override {
    Spent.measure("S8 transformation", [&] {
      By.Transformation(Of.bytes(), Weights, Result, Of.Bands, Components,
                        Of.pixels(), Of.Pitch, ResultPitch);
    });
  }

private:
  static int bytesPitch(int Samples, int Lines) {
    return (noisePixels(Samples, Lines) + 127) / 128 * 128;
  }
  size_t bytesOfNoise(const Shape &Strip) const {
    const int Samples = int(Strip.Samples), Lines = int(Strip.Lines);
    return Strip.Bands *
           (By.Noise ? sizeof(int16_t) * size_t(pitchOf(Samples, Lines))
                     : size_t(bytesPitch(Samples, Lines)));
  }
  size_t bytesOfScratch(const Shape &Strip) const {
    const int Samples = int(Strip.Samples), Lines = int(Strip.Lines);
    return By.Noise     ? 0
           : By.Overlap ? overlappedScratchBytes(Samples, Lines)
                        : scratchBytesV7(noisePixels(Samples, Lines));
  }
  size_t bytesOfList(const Shape &Strip) const {
    const int Samples = int(Strip.Samples), Lines = int(Strip.Lines);
    return By.Noise     ? 0
           : By.Overlap ? overlappedListBytes(Samples, Lines)
                        : wideBytes(Samples, Lines);
  }

  void measureAtOnce(const Strip &Of, SumsOnDevice OfNoise,
                     SumsOnDevice OfImage, DeviceTimes &Spent) {
    const SumsOfBands Image = {OfImage.OfProducts, OfImage.OfBands};
    Spent.measure("S1 S2 S4 noise and covariances", [&] {
      addOverlapped(Of.bytes(), reinterpret_cast<int8_t *>(+*Noise),
                    reinterpret_cast<WideChunks *>(+*Wide),
                    {OfNoise.OfProducts, OfNoise.OfBands}, &Image, Of.Samples,
                    Of.Lines, Of.Bands, Of.Pitch,
                    bytesPitch(Of.Samples, Of.Lines), *Scratch);
    });
  }

  void measureNoise(const Strip &Of, SumsOnDevice To, DeviceTimes &Spent) {
    int16_t *Inner =
        reinterpret_cast<int16_t *>(+*Noise) + marginOf(Of.Samples);
    Spent.measure("S1 noise", [&] {
      By.Noise(Of.bytes(), Inner, Of.Samples, Of.Lines, Of.Bands, Of.Pitch);
    });
    Spent.measure("S2 noise covariance", [&] {
      By.NoiseCovariance(Inner, To.OfProducts, Of.Bands, Of.pixels(), Of.Pitch);
      addBandSums(Inner, To.OfBands, Of.Bands, Of.pixels(), Of.Pitch);
    });
  }

  void measureBytes(const Strip &Of, SumsOnDevice To, DeviceTimes &Spent) {
    auto *Bytes = reinterpret_cast<int8_t *>(+*Noise);
    auto *Listed = reinterpret_cast<WideChunks *>(+*Wide);
    const int Pitch = bytesPitch(Of.Samples, Of.Lines);
    Spent.measure("S1 noise", [&] {
      filterNoiseV5(Of.bytes(), Bytes, Listed, Of.Samples, Of.Lines, Of.Bands,
                    Of.Pitch, Pitch);
    });
    Spent.measure("S2 noise covariance", [&] {
      addProductsV7(Bytes, To.OfProducts, To.OfBands, Of.Bands,
                    noisePixels(Of.Samples, Of.Lines), Pitch, *Scratch);
      correctProducts(Of.bytes(), Listed, To.OfProducts, To.OfBands, Of.Samples,
                      Of.Lines, Of.Bands, Of.Pitch);
    });
  }

  int Version;
  const Rungs &By;
  std::optional<Buffer<char>> Noise, Scratch, Wide;
};

} // namespace

std::unique_ptr<Route> makeLadderRoute(int Version) {
  assert(Version >= 0 && Version <= LastVersion && "no such version");
  return std::make_unique<LadderRoute>(Version);
}

} // namespace mnf
