//===- CublasRoute.cpp - All products by cuBLAS ---------------------------===//
//
// cuBLAS multiplies; the median of S1 and the copies that it needs are kernels
// beside it. Products of integers are exact; of the ways to S8 this is the
// fastest that keeps the digits of a float.
//
//===----------------------------------------------------------------------===//

#include "mnf_case_study/device/Cublas.h"
#include "mnf_case_study/device/Route.h"

#include <fmt/format.h>

#include <optional>

namespace mnf {
namespace {

class CublasRoute : public Route {
public:
  std::string name() const override { return "cuBLAS"; }

  std::string whyNot(const EnviHeader &Image, NoiseEstimate Noise,
                     size_t) const override {
    if (Image.Type != SampleType::UInt8)
      return fmt::format("takes uint8 samples, not {}", nameOf(Image.Type));
    if (Noise != NoiseEstimate::Median)
      return "estimates the noise by the median only";
    if (Image.Size.Samples < 16)
      return fmt::format("takes lines of 16 samples at least, not {}",
                         Image.Size.Samples);
    return "";
  }

  size_t bytesToMeasure(const Shape &Strip) const override {
    return Cublas::bytesOfSums(int(Strip.Bands), int(Strip.Samples),
                               int(Strip.Lines));
  }
  size_t bytesToTransform(const Shape &Strip) const override {
    return Cublas::bytesOfHalves(int(Strip.Bands), int(Strip.pixels()));
  }
  void prepareToMeasure(const Shape &Strip) override {
    Blas.emplace(int(Strip.Bands), int(Strip.Samples), int(Strip.Lines));
  }
  void prepareToTransform(const Shape &Strip) override {
    Blas.emplace(int(Strip.Bands), int(Strip.Samples), int(Strip.Lines));
  }

  void measure(const Strip &Of, SumsOnDevice OfNoise, SumsOnDevice OfImage,
               DeviceTimes &Spent) override {
    Spent.measure("S1 noise", [&] {
      Blas->makeNoise(Of.bytes(), Of.Samples, Of.Lines, Of.Pitch);
    });
    Spent.measure("S2 noise covariance", [&] {
      Blas->addProducts(OfNoise.OfProducts, OfNoise.OfBands);
    });
    Spent.measure("S4 image covariance", [&] {
      Blas->makeSigned(Of.bytes(), Of.pixels(), Of.Pitch);
      Blas->addProducts(OfImage.OfProducts, OfImage.OfBands);
    });
  }

  void transform(const Strip &Of, const float *Weights, int Components,
                 float *Result, int ResultPitch, int64_t,
                 DeviceTimes &Spent) override {
    Spent.measure("S8 transformation", [&] {
      Blas->makeHalves(Of.bytes(), Of.pixels(), Of.Pitch);
      Blas->transformHalves(Weights, Components, Result, ResultPitch);
    });
  }

private:
  std::optional<Cublas> Blas;
};

} // namespace

std::unique_ptr<Route> makeCublasRoute() {
  return std::make_unique<CublasRoute>();
}

} // namespace mnf
