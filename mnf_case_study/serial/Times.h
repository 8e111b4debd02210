//===- Times.h - What each step took ----------------------------*- C++ -*-===//

#ifndef WARPWISE_MNF_CASE_STUDY_SERIAL_TIMES_H
#define WARPWISE_MNF_CASE_STUDY_SERIAL_TIMES_H

#include <algorithm>
#include <chrono>
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

  void add(const std::string &Name, double Milliseconds) {
    auto It = std::find_if(Steps.begin(), Steps.end(),
                           [&](const Step &S) { return S.Name == Name; });
    if (It == Steps.end())
      It = Steps.insert(Steps.end(), {Name, 0});
    It->Milliseconds += Milliseconds;
  }

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

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_SERIAL_TIMES_H
