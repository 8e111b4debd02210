//===- Engine.h - Who does the steps over all pixels ------------*- C++ -*-===//
//
// Noise, covariances and transformation (S1, S2, S4, S8) touch every sample;
// one engine does them on a core of the CPU, others on a GPU. Images are taken
// in strips of whole lines, so none has to fit in memory.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_APP_ENGINE_H
#define WARPWISE_MNF_CASE_STUDY_APP_ENGINE_H

#include "mnf_case_study/image/EnviImage.h"
#include "mnf_case_study/image/ImageWriter.h"
#include "mnf_case_study/serial/Noise.h"
#include "mnf_case_study/serial/Rotation.h"
#include "mnf_case_study/serial/Times.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mnf {

/// "noise: 40 %" on stderr, for who watches a terminal.
class Progress {
public:
  explicit Progress(bool Quiet);
  void show(const char *Step, size_t Done, size_t Of);
  ~Progress();

private:
  bool Shown;
  bool Dirty = false;
};

struct Moments {
  Statistics Noise, Image;
};

class Engine {
public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  /// S1, S2 and S4.
  virtual Expected<Moments> measure(const EnviImage &Image, NoiseEstimate Noise,
                                    Times &Spent, Progress &Shown) = 0;
  /// S3 and S5 to S7.
  virtual Expected<Rotation> solve(const Moments &Of, Times &Spent);
  /// S8: the first \p Components components, as planes of floats. Empty, or the
  /// reason of the failure.
  virtual std::string transform(const EnviImage &Image, const Rotation &By,
                                size_t Components, ImageWriter &To,
                                Times &Spent, Progress &Shown) = 0;
};

/// T's first \p Components columns as S8 takes them: Bands x Components,
/// floats.
std::vector<float> weightsOf(const Rotation &By, size_t Components);

/// Strips of at most \p StripBytes of samples, but of a line at least.
std::unique_ptr<Engine> makeSerialEngine(size_t StripBytes);

/// What the GPU does the steps with.
struct GpuWay {
  /// A version of the ladder. Empty: the fastest one that can do the image.
  std::optional<int> Version;
  bool Cublas = false;
  /// What takes every image.
  bool Doubles = false;
  /// Memory on the device that may be used. Empty: what is free.
  std::optional<size_t> Bytes;
};
/// Fails where there is no GPU that this build can use, or where the GPU has no
/// such way for an image.
Expected<std::unique_ptr<Engine>> makeGpuEngine(const GpuWay &Way,
                                                const EnviImage &Image,
                                                NoiseEstimate Noise,
                                                size_t Components);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_APP_ENGINE_H
