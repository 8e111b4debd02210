//===- Progress.h - How far a run is ----------------------------*- C++ -*-===//
//
// One line that overwrites itself, with the seconds that remain; only on a
// terminal.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_PROGRESS_H
#define WARPWISE_PROFILER_TOOL_PROGRESS_H

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace warpwise::tool {

/// What is left of a run, from the times of an earlier one.
class Remaining {
public:
  /// \p Nominal are the seconds of each step in an earlier run, 0 where it is
  /// not known; such a step counts like the mean of the others.
  explicit Remaining(std::map<std::string, double, std::less<>> Nominal);

  /// \p Elapsed are the seconds since the start, as below.
  void ended(std::string_view Step, double Elapsed);
  /// Seconds that are left, at the pace of the steps that have ended. Nothing
  /// while there is nothing to go by.
  std::optional<double> seconds(double Elapsed) const;

private:
  std::map<std::string, double, std::less<>> Left;
  double Total = 0, Done = 0; ///< nominal seconds
  double EndedAt = 0;         ///< when the last step ended
  bool Known = false;         ///< whether the times are an earlier run's
};

/// "[ 7/31] bank-conflicts: stride 4 ... 12 s left"
class RunProgress {
public:
  /// \p Nominal as for Remaining, one for each step; silent unless \p Shown.
  RunProgress(std::map<std::string, double, std::less<>> Nominal, bool Shown);
  ~RunProgress();
  RunProgress(const RunProgress &) = delete;
  RunProgress &operator=(const RunProgress &) = delete;

  void started(std::string_view Step);
  /// What the step is doing.
  void detail(std::string_view Text);
  void ended(std::string_view Step);
  /// Takes the line away, before other output.
  void clear();

private:
  double elapsed() const;
  void show(std::string_view Detail) const;

  size_t Steps, Done = 0;
  std::string Current;
  Remaining Rest;
  bool Shown;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_PROGRESS_H
