//===- Measurement.cpp - Runs benchmarks for a command --------------------===//

#include "profiler/tool/Measurement.h"

#include "profiler/profile/Profile.h"
#include "profiler/tool/Assemble.h"
#include "profiler/tool/Gpu.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/Progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace warpwise::tool {

using harness::Benchmark;

namespace {

/// Stands in for the GPU where the selection needs none.
class NoWatch : public harness::Watch {
public:
  double clock() override { return 0; }
  std::string lost() override { return ""; }
};

/// What each benchmark took in an earlier run on such a GPU, else 0.
std::map<std::string, double, std::less<>>
nominalSeconds(const Selection &Selected, const std::string &Gpu) {
  std::map<std::string, double, std::less<>> Nominal;
  const auto Earlier = profile::find(kebab(Gpu));
  for (const Benchmark *B : Selected) {
    const std::string Path = fmt::format("run.seconds.{}", B->Name);
    Nominal[std::string(B->Name)] =
        Earlier ? Earlier->value(Path).value_or(0) : 0;
  }
  return Nominal;
}

void printLine(const harness::Outcome &O) {
  fmt::print(stderr, "{:<28} {:6.2f} s{}{}\n", O.What->Name, O.Seconds,
             O.Failure.empty() ? "" : "  ", O.Failure);
}

} // namespace

io::Expected<Selection> select(std::span<const Benchmark> All,
                               const std::vector<std::string> &Only,
                               bool Quick) {
  Selection Selected;
  for (const Benchmark &B : All)
    if (Only.empty()
            ? B.Quick || !Quick
            : std::find(Only.begin(), Only.end(), B.Name) != Only.end())
      Selected.push_back(&B);
  for (const std::string &Name : Only)
    if (std::none_of(All.begin(), All.end(),
                     [&](const Benchmark &B) { return B.Name == Name; })) {
      std::vector<std::string_view> Names;
      for (const Benchmark &B : All)
        Names.push_back(B.Name);
      std::sort(Names.begin(), Names.end());
      return io::Failure{fmt::format("unknown benchmark '{}'; there are {}",
                                     Name, fmt::join(Names, ", "))};
    }
  if (Selected.empty())
    return io::Failure{"this build has no benchmarks"};
  return Selected;
}

std::string listBenchmarks(std::span<const Benchmark> All) {
  size_t Width = 0;
  for (const Benchmark &B : All)
    Width = std::max(Width, B.Name.size());
  std::string Text;
  for (const Benchmark &B : All)
    Text += fmt::format("{:<{}}  {}{}{}\n", B.Name, Width, B.Measures,
                        B.Quick ? " (quick)" : "",
                        B.NeedsGpu ? "" : " (needs no GPU)");
  return Text;
}

bool needsGpu(const Selection &Selected) {
  return std::any_of(Selected.begin(), Selected.end(),
                     [](const Benchmark *B) { return B->NeedsGpu; });
}

harness::Device anyGpu(int Ordinal) {
  try {
    return openGpu(Ordinal);
  } catch (const std::exception &) {
    return {};
  }
}

PreparedGpu prepareGpu(int Ordinal, bool Force) {
  PreparedGpu Gpu;
  Gpu.Device = openGpu(Ordinal);
  Gpu.MustBeIdle = !Force;
  if (const std::string Old = tooOld(Gpu.Device); !Old.empty())
    throw harness::Skip(Old);
  const auto disturbed = [&](const std::string &Why) {
    if (!Force)
      throw harness::Skip(
          fmt::format("{}; --force measures all the same", Why));
    printWarning(Why);
    Gpu.Disturbed.push_back({"before the benchmarks", Why});
  };
  if (const std::string Folder = lockFolder(); !Folder.empty()) {
    Gpu.Lock = DeviceLock(Folder, Gpu.Device.Uuid);
    if (Gpu.Lock.isTaken())
      disturbed(Gpu.Lock.why());
    else if (!Gpu.Lock.why().empty())
      printNote(Gpu.Lock.why());
  }
  // Before the guards run kernels, which the driver would count as use.
  if (const std::string Busy = whyBusy(Gpu.Device); !Busy.empty())
    disturbed(Busy);
  guardMeasuring(Gpu.Device);
  return Gpu;
}

MeasureResult measure(harness::Session &S, const Selection &Selected,
                      bool MustBeIdle, bool Verbose) {
  const auto Start = std::chrono::steady_clock::now();
  RunProgress Line(nominalSeconds(Selected, S.device().Gpu),
                   !Verbose && stderrIsTerminal());
  harness::RunEvents Tell;
  Tell.Started = [&](const Benchmark &B) { Line.started(B.Name); };
  Tell.Ended = [&](const harness::Outcome &O) {
    Line.ended(O.What->Name);
    if (Verbose)
      printLine(O);
  };
  S.Progress = [&](std::string_view Text) { Line.detail(Text); };
  NoWatch Nothing;
  const std::unique_ptr<harness::Watch> Gpu =
      needsGpu(Selected) ? watchGpu(S.device(), MustBeIdle) : nullptr;
  const harness::RunResult Run =
      harness::runAll(S, Selected, Gpu ? *Gpu : Nothing, Tell);

  S.Progress = [](std::string_view) {};

  MeasureResult Result;
  Result.Lost = Run.Lost;
  Result.Busy = Run.Busy;
  for (const harness::Outcome &O : Run.Outcomes)
    if (!O.Disturbed.empty())
      Result.Disturbed.push_back(
          {fmt::format("in {}", O.What->Name), O.Disturbed});
  for (const harness::Outcome &O : Run.Outcomes)
    if (O.MhzAfter > 0)
      Result.Notes.push_back(
          fmt::format("the clock moved from {:.0f} to {:.0f} MHz in {}",
                      O.MhzBefore, O.MhzAfter, O.What->Name));
  Result.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  return Result;
}

} // namespace warpwise::tool
