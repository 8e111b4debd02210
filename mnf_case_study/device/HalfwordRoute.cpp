//===- HalfwordRoute.cpp - V7 for samples of 16 bits ----------------------===//

#include "mnf_case_study/device/Route.h"
#include "mnf_case_study/gpu/DeviceImage.h"
#include "mnf_case_study/gpu/doubles/Doubles.h"
#include "mnf_case_study/gpu/halfwords/Halfwords.h"

#include <fmt/format.h>

#include <optional>

namespace mnf {
namespace {

class HalfwordRoute : public Route {
public:
  std::string name() const override { return "V7 (16 bits)"; }

  std::string whyNot(const EnviHeader &Image, NoiseEstimate Noise,
                     size_t) const override {
    if (Image.Type != SampleType::UInt16 && Image.Type != SampleType::Int16)
      return fmt::format("takes uint16 and int16 samples, not {}",
                         nameOf(Image.Type));
    if (Noise != NoiseEstimate::Median)
      return "estimates the noise by the median only";
    if (Image.Size.Bands > MostBands)
      return fmt::format("takes {} bands at most, not {}", MostBands,
                         Image.Size.Bands);
    return "";
  }

  int64_t noiseOffset() const override { return HalfwordOffset; }

  size_t bytesToMeasure(const Shape &Strip) const override {
    const int Pixels = int(Strip.pixels());
    return 2 * bytesOfPlane(Strip) + wideHalfwordBytes(Pixels) +
           halfwordScratchBytes(Pixels);
  }
  size_t bytesToTransform(const Shape &) const override { return 0; }

  void prepareToMeasure(const Shape &Strip) override {
    const int Pixels = int(Strip.pixels());
    High.emplace(bytesOfPlane(Strip));
    Low.emplace(bytesOfPlane(Strip));
    Wide.emplace(wideHalfwordBytes(Pixels) / sizeof(int));
    Scratch.emplace(halfwordScratchBytes(Pixels));
  }
  void prepareToTransform(const Shape &) override {
    High.reset();
    Low.reset();
    Wide.reset();
    Scratch.reset();
  }

  void measure(const Strip &Of, SumsOnDevice OfNoise, SumsOnDevice OfImage,
               DeviceTimes &Spent) override {
    const SplitPlanes Planes = {*High, *Low, planePitch(Of.pixels())};
    const auto Add = [&](const SumsOnDevice &To) {
      addSplitProducts(Planes, To.OfProducts, To.OfBands, Of.Bands, Of.pixels(),
                       *Scratch);
    };
    Spent.measure("S1 noise", [&] {
      splitNoise(Of.halfwords(), Planes, *Wide, Of.Samples, Of.Lines, Of.Bands,
                 Of.Pitch);
    });
    Spent.measure("S2 noise covariance", [&] {
      Add(OfNoise);
      correctSplitNoise(Of.halfwords(), *Wide, OfNoise.OfProducts,
                        OfNoise.OfBands, Of.Samples, Of.Lines, Of.Bands,
                        Of.Pitch);
    });
    Spent.measure("S4 image covariance", [&] {
      splitSamples(Of.halfwords(), Planes, Of.Bands, Of.pixels(), Of.Pitch);
      Add(OfImage);
    });
  }

  void transform(const Strip &Of, const float *Weights, int Components,
                 float *Result, int ResultPitch, int64_t Less,
                 DeviceTimes &Spent) override {
    Spent.measure("S8 transformation", [&] {
      doubles::transform(Of.halfwords(), Weights, Result, Of.Bands, Components,
                         Of.pixels(), Of.Pitch, ResultPitch, int(Less));
    });
  }

private:
  static int planePitch(int Pixels) { return (Pixels + 127) / 128 * 128; }
  static size_t bytesOfPlane(const Shape &Strip) {
    return Strip.Bands * size_t(planePitch(int(Strip.pixels())));
  }

  std::optional<Buffer<uint8_t>> High, Low;
  std::optional<Buffer<int>> Wide;
  std::optional<Buffer<char>> Scratch;
};

} // namespace

int64_t offsetOf(SampleType Type) {
  return Type == SampleType::Int16 ? HalfwordOffset : 0;
}

std::unique_ptr<Route> makeHalfwordRoute() {
  return std::make_unique<HalfwordRoute>();
}

} // namespace mnf
