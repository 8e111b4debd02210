//===- SerialEngine.cpp - The steps on one core of the CPU ----------------===//

#include "mnf_case_study/app/Engine.h"

#include <algorithm>

namespace mnf {
namespace {

class SerialEngine : public Engine {
public:
  explicit SerialEngine(size_t StripBytes) : StripBytes(StripBytes) {}

  std::string name() const override { return "serial"; }

  Expected<Moments> measure(const EnviImage &Image, NoiseEstimate Noise,
                            Times &Spent, Progress &Shown) override {
    return visitSamples(Image.header().Type, [&](auto Sample) {
      return measureAs<decltype(Sample)>(Image, Noise, Spent, Shown);
    });
  }

  std::string transform(const EnviImage &Image, const Rotation &By,
                        size_t Components, ImageWriter &To, Times &Spent,
                        Progress &Shown) override {
    return visitSamples(Image.header().Type, [&](auto Sample) {
      return transformAs<decltype(Sample)>(Image, By, Components, To, Spent,
                                           Shown);
    });
  }

private:
  size_t linesOfStrip(const EnviImage &Image) const {
    const size_t OfLine = Image.shape().Bands * Image.shape().Samples *
                          bytesOf(Image.header().Type);
    return std::clamp<size_t>(StripBytes / OfLine, 1, Image.shape().Lines);
  }

  template <typename Sample>
  Expected<Moments> measureAs(const EnviImage &Image, NoiseEstimate Estimate,
                              Times &Spent, Progress &Shown) const {
    using Difference = NoiseOf<Sample>;
    const auto [Bands, Lines, Samples] = Image.shape();
    const size_t Most = linesOfStrip(Image);
    // The windows reach a line beyond the strip.
    std::vector<Sample> Strip(Bands * std::min(Most + 2, Lines) * Samples);
    std::vector<Difference> Noise(Bands * Most * Samples);
    Sums<SumOf<Sample>> OfImage(Bands);
    Sums<SumOf<Difference>> OfNoise(Bands);

    for (size_t First = 0; First < Lines; First += Most) {
      Shown.show("covariances", First, Lines);
      const size_t Count = std::min(Most, Lines - First);
      const size_t From = First == 0 ? 0 : First - 1;
      const size_t Read = std::min(First + Count + 1, Lines) - From;
      const size_t Plane = Read * Samples, Inner = Count * Samples;
      Spent.measure("read", [&] { Image.readLines(From, Read, Strip.data()); });
      Spent.measure("S1 noise", [&] {
        for (size_t Band = 0; Band < Bands; ++Band)
          estimateNoise(&Strip[Band * Plane], Read, Samples, First - From,
                        Count, Estimate, &Noise[Band * Inner]);
      });
      Spent.measure("S2 noise covariance",
                    [&] { addPlanes(Noise.data(), Inner, Inner, OfNoise); });
      Spent.measure("S4 image covariance", [&] {
        addPlanes(&Strip[(First - From) * Samples], Plane, Inner, OfImage);
      });
    }
    return Moments{OfNoise.statistics(), OfImage.statistics()};
  }

  template <typename Sample>
  std::string transformAs(const EnviImage &Image, const Rotation &By,
                          size_t Components, ImageWriter &To, Times &Spent,
                          Progress &Shown) const {
    const auto [Bands, Lines, Samples] = Image.shape();
    const size_t Most = linesOfStrip(Image);
    const std::vector<float> Weights = weightsOf(By, Components);
    std::vector<Sample> Strip(Bands * Most * Samples);
    std::vector<float> Result(Components * Most * Samples);

    for (size_t First = 0; First < Lines; First += Most) {
      Shown.show("transformation", First, Lines);
      const size_t Count = std::min(Most, Lines - First);
      const size_t Pixels = Count * Samples;
      Spent.measure("read",
                    [&] { Image.readLines(First, Count, Strip.data()); });
      Spent.measure("S8 transformation", [&] {
        mnf::transform(Strip.data(), Pixels, Pixels, Bands, Weights.data(),
                       Components, Result.data(), Pixels);
      });
      const std::string Why = Spent.measure("write", [&] {
        std::string Reason;
        for (size_t K = 0; K < Components && Reason.empty(); ++K)
          Reason = To.write(&Result[K * Pixels], Pixels * sizeof(float),
                            (K * Lines + First) * Samples * sizeof(float));
        return Reason;
      });
      if (!Why.empty())
        return Why;
    }
    return "";
  }

  size_t StripBytes;
};

} // namespace

std::unique_ptr<Engine> makeSerialEngine(size_t StripBytes) {
  return std::make_unique<SerialEngine>(StripBytes);
}

} // namespace mnf
