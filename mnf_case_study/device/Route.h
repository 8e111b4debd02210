//===- Route.h - One way through the steps on the device --------*- C++ -*-===//
//
// A route does S1, S2, S4 and S8 for an image that is on the device: with the
// versions of the ladder, with cuBLAS, or in doubles. All routes give the same
// sums of whole numbers bit for bit, and the engine (app/) turns those into
// statistics like the serial one's.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_DEVICE_ROUTE_H
#define WARPWISE_MNF_CASE_STUDY_DEVICE_ROUTE_H

#include "mnf_case_study/device/Cuda.h"
#include "mnf_case_study/device/Versions.h"
#include "mnf_case_study/image/EnviHeader.h"
#include "mnf_case_study/serial/Noise.h"

#include <cstdint>
#include <memory>
#include <string>

namespace mnf {

/// Lines of an image as gpu/DeviceImage.h has them; the lines above and below
/// are there.
struct Strip {
  /// The first sample of the first band: of one byte, of two, unsigned, or a
  /// float.
  const void *Image;
  int Samples, Lines, Bands;
  /// Samples from one band to the next.
  int Pitch;

  int pixels() const { return Samples * Lines; }
  const uint8_t *bytes() const { return static_cast<const uint8_t *>(Image); }
  const uint16_t *halfwords() const {
    return static_cast<const uint16_t *>(Image);
  }
  const float *floats() const { return static_cast<const float *>(Image); }
};

/// What signed samples are held larger by on the device: 32,768. Zero for the
/// others.
int64_t offsetOf(SampleType Type);

/// What a route adds to, on the device: exact sums as serial/Sums.h has them.
struct SumsOnDevice {
  int64_t *OfProducts, *OfBands;
};
/// Those of floats, and what they are taken less of, which the first strip
/// says.
struct FloatSumsOnDevice {
  double *OfProducts, *OfBands;
  float *Pivots;
};

class Route {
public:
  virtual ~Route() = default;
  virtual std::string name() const = 0;
  /// Empty, or what about an image this route cannot do. Does not name the
  /// image.
  virtual std::string whyNot(const EnviHeader &Image, NoiseEstimate Noise,
                             size_t Components) const = 0;

  /// What the sums are of more than the noise.
  virtual int64_t noiseOffset() const { return 0; }

  /// Bytes on the device, besides the image, for steps of a strip.
  virtual size_t bytesToMeasure(const Shape &Strip) const = 0;
  virtual size_t bytesToTransform(const Shape &Strip) const = 0;
  /// Makes room for strips of up to this size; called before either step.
  virtual void prepareToMeasure(const Shape &Strip) = 0;
  virtual void prepareToTransform(const Shape &Strip) = 0;

  /// S1, S2 and S4.
  virtual void measure(const Strip &Of, SumsOnDevice Noise, SumsOnDevice Image,
                       DeviceTimes &Spent) = 0;
  /// The same of floats, for routes that take them.
  virtual void measureFloats(const Strip &Of, FloatSumsOnDevice Noise,
                             FloatSumsOnDevice Image, DeviceTimes &Spent);
  /// S8. \p Weights as weightsOf() has them, on the device; \p Less: the
  /// samples' offset.
  virtual void transform(const Strip &Of, const float *Weights, int Components,
                         float *Result, int ResultPitch, int64_t Less,
                         DeviceTimes &Spent) = 0;
};

/// The ladder's versions, put together to whole routes.
std::unique_ptr<Route> makeLadderRoute(int Version);
/// V7 for samples of 16 bits.
std::unique_ptr<Route> makeHalfwordRoute();
/// For every image: floats, all estimates of noise, any number of bands.
std::unique_ptr<Route> makeDoublesRoute(SampleType Type,
                                        NoiseEstimate Estimate);

/// The fastest way through cuBLAS that is as exact as the ladder's.
std::unique_ptr<Route> makeCublasRoute();

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_DEVICE_ROUTE_H
