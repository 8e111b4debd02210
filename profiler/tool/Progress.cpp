//===- Progress.cpp - How far a run is ------------------------------------===//

#include "profiler/tool/Progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warpwise::tool {

Remaining::Remaining(std::map<std::string, double, std::less<>> Nominal)
    : Left(std::move(Nominal)) {
  size_t Times = 0;
  for (const auto &[Step, Seconds] : Left)
    if (Seconds > 0)
      Total += Seconds, ++Times;
  Known = Times != 0;
  const double Share = Known ? Total / static_cast<double>(Times) : 1;
  for (auto &[Step, Seconds] : Left)
    if (!(Seconds > 0))
      Total += Seconds = Share;
}

void Remaining::ended(std::string_view Step, double Elapsed) {
  auto At = Left.find(Step);
  if (At == Left.end())
    return;
  Done += At->second;
  EndedAt = Elapsed;
  Left.erase(At);
}

std::optional<double> Remaining::seconds(double Elapsed) const {
  if (Done == 0 && !Known)
    return std::nullopt;
  const double Pace = Done > 0 ? EndedAt / Done : 1;
  return std::max(0.0, (Total - Done) * Pace - (Elapsed - EndedAt));
}

RunProgress::RunProgress(std::map<std::string, double, std::less<>> Nominal,
                         bool Shown)
    : Steps(Nominal.size()), Rest(std::move(Nominal)), Shown(Shown) {}

RunProgress::~RunProgress() { clear(); }

double RunProgress::elapsed() const {
  const std::chrono::duration<double> Since =
      std::chrono::steady_clock::now() - Start;
  return Since.count();
}

void RunProgress::started(std::string_view Step) {
  Current = Step;
  show("");
}

void RunProgress::detail(std::string_view Text) { show(Text); }

void RunProgress::show(std::string_view Detail) const {
  if (!Shown)
    return;
  const std::optional<double> Left = Rest.seconds(elapsed());
  const size_t Width = fmt::formatted_size("{}", Steps);
  fmt::print(stderr, "\r\033[K[{:>{}}/{}] {}{}{} ...{}", Done + 1, Width, Steps,
             Current, Detail.empty() ? "" : ": ", Detail,
             Left ? fmt::format(" {:.0f} s left", std::ceil(*Left)) : "");
  std::fflush(stderr);
}

void RunProgress::ended(std::string_view Step) {
  ++Done;
  Rest.ended(Step, elapsed());
}

void RunProgress::clear() {
  if (Shown)
    fmt::print(stderr, "\r\033[K");
}

} // namespace warpwise::tool
