//===- Idleness.cpp - Whether a GPU does nothing else ---------------------===//

#include "profiler/inference/Idleness.h"

#include "profiler/inference/Statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::inference {
namespace {

/// The highest latencies of an idle GPU are within 1 % of the median.
constexpr double MostSpread = 0.05;
/// A launch that takes so many times as long as a quick one was interrupted;
/// two have to be, and to cost some of all time: the driver may interrupt one.
constexpr double Interrupted = 1.5;
constexpr unsigned LeastInterruptions = 2;
constexpr double MostStolen = 0.03;
/// What the driver does on an idle GPU shows as 1 % at times.
constexpr unsigned MostUtilisation = 5;
/// Copies of others pass through L2 and memory. An idle GPU and its driver
/// exchange a few megabytes a second at most.
constexpr double MostBusMegabytes = 50;

std::string whyChaseSays(const std::vector<double> &Cycles) {
  if (Cycles.empty())
    return "";
  const double Middle = quantile(Cycles, 0.5), High = quantile(Cycles, 0.95);
  if (High - Middle <= MostSpread * Middle)
    return "";
  return fmt::format("the GPU is busy with something else: the same chase "
                     "through L2 takes {:.0f} cycles a load, then {:.0f}",
                     Middle, High);
}

std::string whySpinsSay(const std::vector<double> &Milliseconds) {
  if (Milliseconds.empty())
    return "";
  const double Alone = quantile(Milliseconds, 0.1);
  double Sum = 0, Stolen = 0;
  unsigned Interruptions = 0;
  for (double Time : Milliseconds) {
    Sum += Time;
    if (Time <= Interrupted * Alone)
      continue;
    Stolen += Time - Alone;
    ++Interruptions;
  }
  if (Interruptions < LeastInterruptions || Stolen <= MostStolen * Sum)
    return "";
  return fmt::format("the GPU is busy with something else: {} of {} launches "
                     "of {:.2f} ms were interrupted, for {:.0f} % of the time",
                     Interruptions, Milliseconds.size(), Alone,
                     100 * Stolen / Sum);
}

} // namespace

std::string whyBusy(const IdleEvidence &Seen) {
  if (Seen.UtilisationPercent && *Seen.UtilisationPercent > MostUtilisation)
    return fmt::format("the GPU is busy with something else: the driver says "
                       "that it is in use {} % of the time",
                       *Seen.UtilisationPercent);
  if (Seen.MemoryPercent && *Seen.MemoryPercent > MostUtilisation)
    return fmt::format("the GPU is busy with something else: the driver says "
                       "that its memory is in use {} % of the time",
                       *Seen.MemoryPercent);
  if (Seen.BusMegabytesPerSecond &&
      *Seen.BusMegabytesPerSecond > MostBusMegabytes)
    return fmt::format(
        "the GPU is busy with something else: {:.0f} MB a second "
        "are copied between it and the host",
        *Seen.BusMegabytesPerSecond);
  if (std::string Why = whySpinsSay(Seen.SpinMilliseconds); !Why.empty())
    return Why;
  return whyChaseSays(Seen.ChaseCycles);
}

std::string describe(const std::vector<Disturbance> &All) {
  std::string Text;
  std::vector<bool> Told(All.size());
  for (size_t N = 0; N != All.size(); ++N) {
    if (Told[N])
      continue;
    std::string Places;
    for (size_t M = N; M != All.size(); ++M)
      if (All[M].Why == All[N].Why) {
        Told[M] = true;
        Places += fmt::format("{}{}", Places.empty() ? "" : ", ", All[M].When);
      }
    Text +=
        fmt::format("{}{}: {}", Text.empty() ? "" : "; ", Places, All[N].Why);
  }
  return Text;
}

} // namespace warpwise::inference
