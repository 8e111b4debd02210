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

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace mnf {

/// Milliseconds of each step, added over the strips, in the order in which the
/// steps were first done.
class Times {
public:
  struct Step {
    std::string Name;
    double Milliseconds = 0;
  };

  void add(const std::string &Name, double Milliseconds);
  /// Calls \p Function and adds the time that it takes on the clock.
  template <typename Callable>
  auto measure(const std::string &Name, Callable &&Function) {
    struct Clock {
      Times &To;
      const std::string &Name;
      std::chrono::steady_clock::time_point Start =
          std::chrono::steady_clock::now();
      ~Clock() {
        To.add(Name, std::chrono::duration<double, std::milli>(
                         std::chrono::steady_clock::now() - Start)
                         .count());
      }
    } Running{*this, Name};
    return Function();
  }

  const std::vector<Step> &steps() const { return Steps; }

private:
  std::vector<Step> Steps;
};

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

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_APP_ENGINE_H
