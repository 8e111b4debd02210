//===- DoublesRoute.cpp - What no version takes ---------------------------===//

#include "mnf_case_study/device/Route.h"
#include "mnf_case_study/gpu/DeviceImage.h"
#include "mnf_case_study/gpu/doubles/Doubles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>

namespace mnf {
namespace {

doubles::Signal signalOf(NoiseEstimate Estimate) {
  switch (Estimate) {
  case NoiseEstimate::Mean:
    return doubles::Signal::Mean;
  case NoiseEstimate::Median:
    return doubles::Signal::Median;
  case NoiseEstimate::Shift:
    break;
  }
  return doubles::Signal::Neighbour;
}

class DoublesRoute : public Route {
public:
  DoublesRoute(SampleType Type, NoiseEstimate Estimate)
      : Type(Type), To(signalOf(Estimate)) {}

  std::string name() const override { return "doubles"; }

  std::string whyNot(const EnviHeader &Image, NoiseEstimate,
                     size_t) const override {
    if (Image.Size.Bands > doubles::MostBands)
      return fmt::format("takes {} bands at most, not {}", doubles::MostBands,
                         Image.Size.Bands);
    return "";
  }

  size_t bytesToMeasure(const Shape &Strip) const override {
    return Strip.Bands *
               (sizeof(float) * noisePitch(Strip.pixels()) + sizeof(float)) +
           doubles::scratchBytes(int(Strip.Bands), int(Strip.pixels()));
  }
  size_t bytesToTransform(const Shape &) const override { return 0; }

  void prepareToMeasure(const Shape &Strip) override {
    Noise.emplace(Strip.Bands * noisePitch(Strip.pixels()));
    Scratch.emplace(
        doubles::scratchBytes(int(Strip.Bands), int(Strip.pixels())));
    Zeros.emplace(Strip.Bands);
    HavePivots = false;
  }
  void prepareToTransform(const Shape &) override {
    Noise.reset();
    Scratch.reset();
    Zeros.reset();
  }

  void measure(const Strip &Of, SumsOnDevice OfNoise, SumsOnDevice OfImage,
               DeviceTimes &Spent) override {
    visitIntegers(Of, [&](const auto *Samples) {
      estimate(Of, Samples, Spent);
      Spent.measure("S2 noise covariance",
                    [&] { add(Of, +*Noise, noisePitch(Of), *Zeros, OfNoise); });
      Spent.measure("S4 image covariance",
                    [&] { add(Of, Samples, Of.Pitch, *Zeros, OfImage); });
    });
  }

  void measureFloats(const Strip &Of, FloatSumsOnDevice OfNoise,
                     FloatSumsOnDevice OfImage, DeviceTimes &Spent) override {
    estimate(Of, Of.floats(), Spent);
    const auto Add = [&](const float *From, int Pitch,
                         const FloatSumsOnDevice &To) {
      if (!HavePivots)
        require(cudaMemcpy2DAsync(To.Pivots, sizeof(float), From,
                                  sizeof(float) * size_t(Pitch), sizeof(float),
                                  size_t(Of.Bands), cudaMemcpyDeviceToDevice),
                "the first sample of each band");
      add(Of, From, Pitch, To.Pivots, To);
    };
    Spent.measure("S2 noise covariance",
                  [&] { Add(*Noise, noisePitch(Of), OfNoise); });
    Spent.measure("S4 image covariance",
                  [&] { Add(Of.floats(), Of.Pitch, OfImage); });
    HavePivots = true;
  }

  void transform(const Strip &Of, const float *Weights, int Components,
                 float *Result, int ResultPitch, int64_t Less,
                 DeviceTimes &Spent) override {
    const auto Transform = [&](const auto *Samples) {
      Spent.measure("S8 transformation", [&] {
        doubles::transform(Samples, Weights, Result, Of.Bands, Components,
                           Of.pixels(), Of.Pitch, ResultPitch, int(Less));
      });
    };
    if (Type == SampleType::Float32)
      Transform(Of.floats());
    else
      visitIntegers(Of, Transform);
  }

private:
  /// A word of pixels is stored as a whole.
  static size_t noisePitch(size_t Pixels) { return (Pixels + 127) / 128 * 128; }
  static int noisePitch(const Strip &Of) {
    return int(noisePitch(size_t(Of.pixels())));
  }

  template <typename Callable>
  void visitIntegers(const Strip &Of, Callable &&Function) const {
    assert(Type != SampleType::Float32 && "floats have sums of their own");
    if (Type == SampleType::UInt8)
      Function(Of.bytes());
    else
      Function(Of.halfwords());
  }

  template <typename Sample>
  void estimate(const Strip &Of, const Sample *Samples, DeviceTimes &Spent) {
    Spent.measure("S1 noise", [&] {
      doubles::estimateNoise(Samples, +*Noise, To, Of.Samples, Of.Lines,
                             Of.Bands, Of.Pitch, noisePitch(Of),
                             int(offsetOf(Type)));
    });
  }

  template <typename Sample, typename Sums>
  void add(const Strip &Of, const Sample *Samples, int Pitch,
           const float *Pivots, const Sums &To) {
    doubles::addProducts(Samples, Pivots, To.OfProducts, To.OfBands, Of.Bands,
                         Of.pixels(), Pitch, *Scratch);
  }

  SampleType Type;
  doubles::Signal To;
  std::optional<Buffer<float>> Noise;
  std::optional<Buffer<char>> Scratch;
  /// The pivots of whole numbers.
  std::optional<Buffer<float>> Zeros;
  /// Floats are taken less the first sample of the image.
  bool HavePivots = false;
};

} // namespace

void Route::measureFloats(const Strip &, FloatSumsOnDevice, FloatSumsOnDevice,
                          DeviceTimes &) {
  assert(false && "whyNot() says that floats are not taken");
}

std::unique_ptr<Route> makeDoublesRoute(SampleType Type,
                                        NoiseEstimate Estimate) {
  return std::make_unique<DoublesRoute>(Type, Estimate);
}

} // namespace mnf
